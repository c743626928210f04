import * as z from 'zod';
import { defineEndpoint } from '../define.ts';
import { anyText, flag, moment, observed, open, segment, text, undocumented } from '../fields.ts';
import {
  EXAMPLE_EVM_TRANSACTION,
  EXAMPLE_HASH,
  EXAMPLE_PAYMENT_ID,
  PAYMENT_STATUSES,
  splitConfig,
  TRANSACTION_TYPES,
  unsignedTransaction,
} from './shared.ts';

/** `data_error` of a payment in `error`. */
const dataError = open(
  {
    // not shown: the types of code, status and details.
    code: z.unknown().describe('Code of the failure').optional(),
    status: z.unknown().describe('Status of the failure').optional(),
    details: z.unknown().describe('Details of the failure').optional(),
    message: anyText('What went wrong'),
  },
  'Why the payment ended in error',
  'PaymentFailure',
);

/** A payment. Document: Payment transaction. */
export const payment = open(
  {
    id: text('Id of the payment'),
    // not shown: all statuses. Other statuses pass.
    status: observed(PAYMENT_STATUSES, 'State of the payment; the service may have others'),
    executor_id: anyText('Who executes the payment'),
    order_code: anyText('Order that the payment belongs to').nullable(),
    // not shown: this field and the payer's fields before the payer transaction.
    transaction_type: observed(
      TRANSACTION_TYPES,
      'How the payer pays; null in the sandbox before the payer transaction',
      anyText,
    ).nullable(),
    payer_email: anyText('E-mail address of the payer'),
    payer_wallet: anyText('Wallet of the payer; empty when there is none'),
    payer_token_symbol: anyText('Token that the payer pays with').nullable(),
    payer_cpf: anyText('CPF or CNPJ of the payer, masked').nullable(),
    tid_hash: anyText('Hash of the transaction, once paid').nullable(),
    from_currency_symbol: anyText('Currency that the amount is in'),
    to_currency_symbol: anyText('Currency that the receivers get'),
    amount_from: anyText('Amount in the source currency'),
    amount_to: anyText('Amount in the target currency'),
    chain_name: anyText('Chain that the payer pays from'),
    from_chain: anyText('Chain that the payment comes from'),
    to_chain: anyText('Chain on which the receivers get it'),
    on_ramp: flag('On-ramp instead of off-ramp'),
    split_payment_config: splitConfig,
    unsigned_tx: unsignedTransaction.nullable(),
    signed_tx: z
      .union([undocumented('Signed transaction as an object'), anyText('Signed transaction as text')])
      .nullable()
      .describe('Transaction that the payer signed'),
    // not shown: all shapes of this field, and its value before any details exist.
    global_payment_data: undocumented('Details of a fiat payment, or why there are none').nullish(),
    data_error: dataError.nullable(),
    metadata: undocumented('Data attached to the payment').nullable(),
    created_at: moment('When the payment was registered (ISO 8601)'),
    updated_at: moment('When the payment last changed (ISO 8601)'),
  },
  'The payment',
  'Payment',
);

/** A successful payment of 10 USDT on polygon, for examples. */
export const EXAMPLE_PAYMENT = {
  id: EXAMPLE_PAYMENT_ID,
  status: 'success',
  executor_id: 'api_transaction',
  order_code: null,
  transaction_type: 'crypto',
  payer_email: 'payer@example.com',
  payer_wallet: '0x3333333333333333333333333333333333333333',
  payer_token_symbol: 'USDT',
  payer_cpf: null,
  tid_hash: EXAMPLE_HASH,
  from_currency_symbol: 'USDT',
  to_currency_symbol: 'USDT',
  amount_from: '10',
  amount_to: '10',
  chain_name: 'polygon',
  from_chain: 'polygon',
  to_chain: 'polygon',
  on_ramp: false,
  split_payment_config: [{ receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 100 }],
  unsigned_tx: EXAMPLE_EVM_TRANSACTION,
  signed_tx: null,
  global_payment_data: { message: 'Details exist only for fiat payments' },
  data_error: null,
  metadata: null,
  created_at: '2026-01-15T09:30:00.000Z',
  updated_at: '2026-01-15T09:30:12.000Z',
};

/** Reads a payment. Document: GET /payment/{id}/status. */
export const status = defineEndpoint({
  id: 'pay.status',
  method: 'GET',
  path: '/payment/{id}/status',
  summary: 'Show the state of a payment',
  effect: 'reads',
  params: { id: segment('Id of the payment') },
  // not shown: the answer to an unknown id.
  invalid: 'payment_not_found',
  success: { payment_found: { http: 200, data: payment, example: EXAMPLE_PAYMENT } },
  errors: { unauthorized: 401, payment_not_found: 404 },
  assumed: ['payment_not_found'],
  example: { id: EXAMPLE_PAYMENT_ID },
});
