import type { decidePix } from '../../contract/control/charges.ts';
import type { InputOf } from '../../contract/define.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { parseJson, printJson } from '../../core/json.ts';
import {
  anyPayment,
  type ChargeRow,
  findCharge,
  firstToExpire,
  forgetCharge,
  queuePayout,
  removeCharge,
} from '../ledger/charges.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { movePayment } from '../payments/move.ts';
import { planPayout } from '../payouts/plan.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';
import type { PixDetails } from './pix.ts';

/** The outcome of a Pix charge. */
export type PixOutcome = InputOf<typeof decidePix>['outcome'];

const ENDINGS = {
  refuse: { code: 402, status: 'pix_refused', message: "The payer's bank refused the Pix.", shown: 'refused' },
  expire: { code: 410, status: 'pix_expired', message: 'The Pix charge expired before it was paid.', shown: 'expired' },
} as const;

const ended = (row: PaymentRow, { details }: ChargeRow, outcome: 'refuse' | 'expire') => {
  const { shown, ...error } = ENDINGS[outcome];
  const { txid } = parseJson(details) as PixDetails;
  return {
    status: 'error',
    data_error: printJson({ ...error, details: { payment_id: row.id, txid } }),
    global_payment_data: printJson({ status: shown }),
  };
};

/**
 * Ends a charge: paid, the receivers are owed their shares; refused or expired, the payment is in `error`. `false`
 * when the payment has moved on, to another payer transaction too.
 */
export const settlePix = (
  services: Services,
  row: PaymentRow,
  charge: ChargeRow,
  outcome: PixOutcome,
): Promise<boolean> => {
  const expected = { id: row.id, statuses: EXECUTABLE_STATUSES, session_hash: row.session_hash };
  if (outcome !== 'pay') {
    return movePayment(services, expected, ended(row, charge, outcome), (step) => removeCharge(step, row.id));
  }
  const planned = planPayout(row);
  if (!planned.ok) throw new Error(`payment ${row.id} cannot be paid out: ${planned.errors[0]?.message}`);
  const paid = { status: 'paid', confirmed_at: services.clock.nowIso() };
  const change = { status: 'processing', global_payment_data: printJson(paid) };
  return movePayment(services, expected, change, async (step) => {
    await removeCharge(step, row.id);
    await queuePayout(step, row.id, planned.plan, services.clock.now());
  });
};

/** Ends Pix charges whose time is over. */
export const startExpiry = (services: Services): Worker =>
  startWorker(services.io, 'the expiry of Pix charges', async () => {
    const ledger = await services.ledger();
    const charge = await firstToExpire(ledger);
    if (!charge) return undefined;
    const left = (charge.expires_ms ?? 0) - services.clock.now();
    if (left > 0) return left;
    const payment = await anyPayment(ledger, charge.payment_id);
    // The payer may have got another charge meanwhile: it is looked at next, with its own time.
    const isSame = (await findCharge(ledger, charge.payment_id))?.details === charge.details;
    if (!payment || (isSame && !(await settlePix(services, payment, charge, 'expire')))) {
      await forgetCharge(ledger, charge);
    }
    return 0;
  });
