import { flag, list, oneOf, open, percent, text } from '../fields.ts';
import { notTogether } from '../rule-schema.ts';
import { never, valueAt } from '../rules.ts';

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
const PAYMENT_STATUSES = ['registered', 'retry', 'processing', 'received', 'success', 'error'] as const;

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
  {
    receiver_wallet: text('Wallet that receives the share'),
    receiver_percent: percent('Percentage of the amount'),
  },
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
