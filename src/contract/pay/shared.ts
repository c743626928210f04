import * as z from 'zod';
import { isJsonObject } from '../../core/json.ts';
import { anyText, flag, list, number, oneOf, open, percent, text, undocumented } from '../fields.ts';
import { never, notTogether, oneIsTrue, sumsTo100, valueAt } from '../rules.ts';

/** The origins of a payment: the API or a checkout. Document: executor_id. */
export const EXECUTORS = ['api_transaction', 'order_transaction'] as const;

/** A single payment, or a subscription. Document: gateway_method. */
export const GATEWAY_METHODS = ['direct', 'subs'] as const;

/** The methods that a payment can allow. Document: payment_method_allowed. */
export const PAYMENT_METHODS = ['pixcrypto', 'cardcrypto', 'cardfiat', 'cryptopix', 'crypto'] as const;

/** The types of a payer transaction. Document: transaction_type. */
export const TRANSACTION_TYPES = ['crypto', 'pixcrypto', 'fiatcrypto', 'cardcrypto', 'cardfiat'] as const;

/** The transaction types that are paid by Pix. */
export const PIX_TYPES = ['pixcrypto', 'fiatcrypto'] as const;

/** The payment method of a transaction type: `fiatcrypto` is a Pix too. */
export const methodOf = (type: unknown) =>
  PAYMENT_METHODS.find((name) => name === (type === 'fiatcrypto' ? 'pixcrypto' : type));

/** The methods of a `payment_method_allowed` that are true; none of any other value. */
export const allowedMethods = (allowed: unknown): readonly string[] =>
  isJsonObject(allowed) ? Object.keys(allowed).filter((method) => allowed[method] === true) : [];

/** Whether a transaction type is paid by Pix. */
export const isPixType = (type: unknown): boolean => PIX_TYPES.some((each) => each === type);

/** The types of a payer's document. Document: payer_document_type. */
export const DOCUMENT_TYPES = ['PASSPORT', 'CPF', 'CNPJ'] as const;

/** The statuses of a payment that the document shows. Its list may not be complete, so other statuses pass. */
export const PAYMENT_STATUSES = ['registered', 'retry', 'processing', 'received', 'success', 'error'] as const;

/** A documented status of a payment. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The statuses in which a payment can be executed. Without an execution the payment does not change by itself. */
export const EXECUTABLE_STATUSES: readonly string[] = ['registered', 'retry'] satisfies readonly PaymentStatus[];

/** A payment id in the form of the service's ids (CUID), and a transaction hash, for examples. */
export const EXAMPLE_PAYMENT_ID = 'cmb1x2y3z0000abcd1234efgh';
export const EXAMPLE_HASH = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

/** The refusal of a transaction without the payer's next nonce. A nonce that is too high can become the next one later. */
export const STALE_NONCE = 'stale_transaction_nonce';

/** The methods of a payment, each allowed or not. */
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

/** The receivers of an amount with their percentages. */
export const splitConfig = list(receiver, 'Who receives which percentage');

/** The transaction type in an input. */
export const transactionType = (description: string) => oneOf(TRANSACTION_TYPES, description);

/** The rule against on-ramp with Pix. Document, Payment order: on-ramp cannot be used for receiving payments via pix. */
export const noPixOnRamp = never(
  'on_ramp',
  (name) =>
    `must be false when ${name('payment_method_allowed')} has pixcrypto: on-ramp cannot receive payments by Pix`,
  (input) => input['on_ramp'] === true && valueAt(input, 'payment_method_allowed.pixcrypto') === true,
  notTogether({ on_ramp: true, 'payment_method_allowed.pixcrypto': true }),
);

/** The rule that a payment allows at least one method. */
export const oneMethod = oneIsTrue('payment_method_allowed', PAYMENT_METHODS);

/** The rules of a payment. They also apply to an order, which is a template of payments. */
export const paymentRules = [oneMethod, sumsTo100('split_payment_config'), noPixOnRamp];

/** The transaction to sign. Numbers are exact: `value` is a JSON number in wei. Document: crypto_tx (EVM family). */
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

/** A transfer of 10 USDT on polygon to one receiver, without `meta`, for examples. */
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

/** `crypto_tx` of a payer on an EVM chain. Document: crypto_tx (EVM family). */
export const evmTransaction = open(
  { ...evmFields, meta: open({ source: anyText('Who built the transaction') }, 'Where the transaction comes from') },
  'Unsigned transaction of an EVM chain',
  'CryptoTx',
);

/** `unsigned_tx` of a payment, which is `crypto_tx` without `meta`. Document: Payment transaction, unsigned_tx. */
export const unsignedTransaction = z
  .union(
    [
      open(evmFields, 'Unsigned transaction of an EVM chain'),
      // not shown: the shape for other chains. Any object passes; the review reports a damaged transaction.
      undocumented('Unsigned transaction of another chain'),
    ],
    'must be an object',
  )
  .describe('Transaction that the payer signs');

/** `crypto_tx`. Document, create-transaction: an object for crypto; a plain message when the payment is not crypto. */
export const cryptoTx = z
  .union(
    [
      evmTransaction,
      // not shown: the shape for other chains. Any object passes; the review reports a damaged transaction.
      undocumented('Unsigned transaction of another chain'),
      anyText('Why there is none: the payment is not crypto'),
    ],
    'must be an object or a message',
  )
  .describe('Transaction that the payer signs');
