import { choice, moment, text } from '../fields.ts';
import { defineControl, record } from './define.ts';

const payment_id = text('Id of the payment');

const EXAMPLE_ID = 'pay_0123';

const changed = record(
  { payment_id: text('Id of the payment'), status: text('Its status now') },
  'A payment whose charge was decided',
  'DecidedCharge',
);

/** The errors of an outcome. The payment must wait for a charge of this kind. */
const OUTCOME_ERRORS = { payment_not_found: 404, invalid_payment_status: 409 } as const;

/** Shows the open Pix charge of a payment. */
export const readPix = defineControl({
  id: 'charge.pix',
  method: 'GET',
  path: '/_sandbox/pix',
  summary: 'Show the Pix charge of a payment',
  effect: 'reads',
  query: { payment_id },
  success: {
    pix_found: {
      http: 200,
      data: record(
        {
          payment_id: text('Id of the payment'),
          txid: text('Id of the charge'),
          code: text('Pix code to copy (BR Code)'),
          amount: text('Amount in BRL'),
          expires_at: moment('When it expires (ISO 8601)'),
        },
        'A Pix charge',
        'PixCharge',
      ),
      example: {
        payment_id: EXAMPLE_ID,
        txid: 'tx0123',
        code: '00020126',
        amount: '100.00',
        expires_at: '2026-11-20T11:00:00.000Z',
      },
    },
  },
  errors: { pix_not_found: 404 },
  example: { payment_id: EXAMPLE_ID },
});

/** Pays, refuses or expires a Pix charge in the role of the payer's bank. */
export const decidePix = defineControl({
  id: 'charge.decide-pix',
  method: 'POST',
  path: '/_sandbox/pix',
  summary: 'Pay a Pix charge of the sandbox, or refuse it',
  effect: 'writes',
  body: {
    payment_id,
    outcome: choice(
      { pay: 'The payer pays', refuse: 'The bank refuses', expire: 'The charge expires unpaid' },
      'The outcome of the charge',
    ),
  },
  success: { payment_changed: { http: 200, data: changed, example: { payment_id: EXAMPLE_ID, status: 'received' } } },
  errors: { ...OUTCOME_ERRORS, pix_expired: 409 },
  example: { payment_id: EXAMPLE_ID, outcome: 'pay' },
});

/** Approves or refuses a pending card in the role of its issuer. */
export const decideCard = defineControl({
  id: 'charge.decide-card',
  method: 'POST',
  path: '/_sandbox/card',
  summary: 'Approve or refuse a pending card of the sandbox',
  effect: 'writes',
  body: {
    payment_id,
    outcome: choice({ approve: 'The issuer approves', refuse: 'The issuer refuses' }, "The issuer's decision"),
  },
  success: { payment_changed: { http: 200, data: changed, example: { payment_id: EXAMPLE_ID, status: 'success' } } },
  errors: OUTCOME_ERRORS,
  example: { payment_id: EXAMPLE_ID, outcome: 'approve' },
});
