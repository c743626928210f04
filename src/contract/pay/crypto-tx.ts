import * as z from 'zod';
import { anyText, number, open, text, undocumented } from '../fields.ts';

/** Numbers stay exact: `value` is wei, a JSON number of any size. Document: crypto_tx (EVM family). */
const transactionRequest = open(
  {
    from: text('Address of the payer'),
    to: text('Address that is called or paid'),
    data: anyText('Call data as hex'),
    value: number('Native coin that is sent, in wei'),
    chainId: number('Id of the chain (EIP-155)'),
    gasLimit: text('Most gas that may be used'),
    maxPriorityFeePerGas: text('Tip per gas, in wei'),
    maxFeePerGas: text('Most that a unit of gas may cost, in wei'),
    nonce: number('Number of the transaction among those of the payer'),
  },
  'The transaction to sign',
  'TransactionRequest',
);

const evmFields = {
  schema_version: number('Version of this shape; 1'),
  family: text('Family of the chain; evm'),
  chain_name: text('Chain that the transaction is for'),
  transactionRequest,
};

/** 10 USDT on polygon to one receiver, without `meta`. */
export const EXAMPLE_EVM_TRANSACTION = {
  schema_version: 1,
  family: 'evm',
  chain_name: 'polygon',
  transactionRequest: {
    from: '0x3333333333333333333333333333333333333333',
    to: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    data: '0xa9059cbb00000000000000000000000011111111111111111111111111111111111111110000000000000000000000000000000000000000000000000000000000989680',
    value: 0,
    chainId: 137,
    gasLimit: '65000',
    maxPriorityFeePerGas: '30000000000',
    maxFeePerGas: '60000000000',
    nonce: 7,
  },
};

/** What the payer of an EVM chain signs. Document: crypto_tx (EVM family). */
export const evmTransaction = open(
  { ...evmFields, meta: open({ source: anyText('Who built the transaction') }, 'Where the transaction comes from') },
  'Unsigned transaction of an EVM chain',
  'CryptoTx',
);

/** `crypto_tx` as a payment keeps it: without `meta`. Document: Payment transaction, unsigned_tx. */
export const unsignedTransaction = z
  .union(
    [
      open(evmFields, 'Unsigned transaction of an EVM chain'),
      // not shown: the shape for other chains. It passes through, and so does a damaged one: the review names why.
      undocumented('Unsigned transaction of another chain'),
    ],
    'must be an object',
  )
  .describe('Transaction that the payer signs');

/** Document, create-transaction: an object for crypto; a plain message when the payment is not crypto. */
export const cryptoTx = z
  .union(
    [
      evmTransaction,
      // not shown: the shape for other chains. It passes through, and so does a damaged one: the review names why.
      undocumented('Unsigned transaction of another chain'),
      anyText('Why there is none: the payment is not crypto'),
    ],
    'must be an object or a message',
  )
  .describe('Transaction that the payer signs');
