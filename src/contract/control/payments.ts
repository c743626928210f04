import { EVM_CHAINS } from '../chains.ts';
import { choice, oneOf, positiveDecimal, text, webAddress } from '../fields.ts';
import type { PaymentStatus } from '../pay/shared.ts';
import { defineControl, record } from './define.ts';

/** The documented states, each with the way to bring a new payment into it. */
const state = choice(
  {
    registered: 'The payment is registered',
    retry: 'Another transaction of the payer used the nonce',
    processing: 'The signed transaction is saved and not sent',
    received: 'The payer paid on one chain; the bridge pays on another',
    success: 'The payer paid the receivers',
    error: 'The transaction was mined and reverted',
  } as const satisfies Readonly<Record<PaymentStatus, string>>,
  'State to bring a new payment to',
);

const triggered = record(
  {
    payment_id: text('Id of the payment'),
    status: text('Its status now'),
    tid_hash: text('Hash of its transaction, once paid').nullable(),
  },
  'A payment that was brought to a state',
  'TriggeredPayment',
);

const EXAMPLE = { payment_id: 'pay_0123', status: 'processing', tid_hash: null };

/** Makes a payment of a new payer with test money, and brings it to a state by the code of requests. */
export const trigger = defineControl({
  id: 'payment.trigger',
  method: 'POST',
  path: '/_sandbox/trigger',
  summary: 'Bring a new payment to a state, with its webhooks',
  effect: 'writes',
  body: {
    state,
    webhook_url: webAddress('Webhook URL of the payment').default('https://shop.example/webhook'),
    amount: positiveDecimal('Amount to pay, in USDT').default('10'),
    chain: oneOf(
      EVM_CHAINS.map(({ name }) => name),
      'Chain on which the payer pays',
    ).default('polygon'),
  },
  success: { payment_triggered: { http: 200, data: triggered, example: EXAMPLE } },
  errors: { invalid_chain: 400 },
  example: { state: 'processing' },
});

/** Sends the saved transaction of a payment in `processing`, and settles the payment. */
export const release = defineControl({
  id: 'payment.release',
  method: 'POST',
  path: '/_sandbox/trigger/release',
  summary: 'Send the saved transaction of a payment in processing',
  effect: 'writes',
  body: { payment_id: text('Id of the payment') },
  success: {
    payment_released: { http: 200, data: triggered, example: { ...EXAMPLE, status: 'success', tid_hash: '0x5c50' } },
  },
  errors: { payment_not_found: 404, invalid_payment_status: 409 },
  example: { payment_id: 'pay_0123' },
});
