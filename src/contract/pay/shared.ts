import * as z from 'zod';
import { anyText, flag, list, number, oneOf, open, percent, text, undocumented } from '../fields.ts';
import { never, notTogether, oneIsTrue, sumsTo100, valueAt } from '../rules.ts';

/** What a payment comes from, the API or a checkout. Document: executor_id. */
export const EXECUTORS = ['api_transaction', 'order_transaction'] as const;

/** Once, or again and again as a subscription. Document: gateway_method. */
export const GATEWAY_METHODS = ['direct', 'subs'] as const;

/** What a payer may pay by. Document: payment_method_allowed. */
export const PAYMENT_METHODS = ['pixcrypto', 'cardcrypto', 'cardfiat', 'cryptopix', 'crypto'] as const;

/** What a payer does pay by. Document: transaction_type. */
export const TRANSACTION_TYPES = ['crypto', 'pixcrypto', 'fiatcrypto', 'cardcrypto', 'cardfiat'] as const;

/** What a payer may be known by. Document: payer_document_type. */
export const DOCUMENT_TYPES = ['PASSPORT', 'CPF', 'CNPJ'] as const;

/** The statuses of a payment that the document has observed. Its complete list is not shown: others pass through. */
export const PAYMENT_STATUSES = ['registered', 'retry', 'processing', 'received', 'success', 'error'] as const;

/** One of them. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A payment in one of these may be executed; until it is, nothing about it moves by itself. */
export const EXECUTABLE_STATUSES: readonly string[] = ['registered', 'retry'] satisfies readonly PaymentStatus[];

/** A payment id as the service makes them (CUID), and the hash of a transaction, for examples. */
export const EXAMPLE_PAYMENT_ID = 'cmb1x2y3z0000abcd1234efgh';
export const EXAMPLE_HASH = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

/** The refusal of a transaction whose nonce is not the payer's next one: a nonce that is too high may become it. */
export const STALE_NONCE = 'stale_transaction_nonce';

/** Methods that a payer may use, each switched on or off. */
export const paymentMethods = open(
  {
    pixcrypto: flag('Pix to crypto').optional(),
    cardcrypto: flag('Card to crypto').optional(),
    cardfiat: flag('Card to fiat').optional(),
    cryptopix: flag('Crypto to Pix').optional(),
    crypto: flag('Crypto to crypto').optional(),
  },
  'Methods that the payer may use',
  'PaymentMethods',
);

const receiver = open(
  { receiver_wallet: text('Wallet that receives the share'), receiver_percent: percent('Percentage of the amount') },
  'One receiver',
  'Receiver',
);

/** How an amount is split. */
export const splitConfig = list(receiver, 'Who receives which percentage');

/** A type of transaction in an input. */
export const transactionType = (description: string) => oneOf(TRANSACTION_TYPES, description);

/** Document, Payment order: on-ramp cannot be used for receiving payments via pix. */
export const noPixOnRamp = never(
  'on_ramp',
  (name) =>
    `must be false when ${name('payment_method_allowed')} has pixcrypto: on-ramp cannot receive payments by Pix`,
  (input) => input['on_ramp'] === true && valueAt(input, 'payment_method_allowed.pixcrypto') === true,
  notTogether({ on_ramp: true, 'payment_method_allowed.pixcrypto': true }),
);

/** The payer may use at least one method. */
export const oneMethod = oneIsTrue('payment_method_allowed', PAYMENT_METHODS);

/** The rules of a payment. They apply to an order too, because it is the template of payments. */
export const paymentRules = [oneMethod, sumsTo100('split_payment_config'), noPixOnRamp];

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
