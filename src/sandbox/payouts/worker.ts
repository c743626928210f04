import { printJson } from '../../core/json.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { anyPayment, changePayout, duePayouts, nextPayoutMs, type PayoutRow } from '../ledger/payouts.ts';
import { describeError, log } from '../log.ts';
import { movePayment } from '../payments/move.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';
import { type PaidOut, payOut } from './pay-out.ts';
import { settledChange } from './settled.ts';

/** Payouts of one round; a server that ends waits for a round. */
const MAX_AT_ONCE = 20;
const AGAIN_AFTER_MS = 2_000;

const failed = (payment: PaymentRow, hash: string) => ({
  status: 'error',
  data_error: printJson({
    code: 500,
    status: 'payment_failed',
    details: { payment_id: payment.id, hash },
    message: 'The payout to the receivers was mined and reverted.',
  }),
});

/** Ends payment and payout together. */
const finish = async (services: Services, payment: PaymentRow, { hash, isPaid }: NonNullable<PaidOut>) => {
  const change = isPaid ? settledChange(payment, hash) : failed(payment, hash);
  const done = { is_done: 1 };
  const expected = { id: payment.id, statuses: ['received', 'processing'] };
  const isMoved = await movePayment(services, expected, change, (step) => changePayout(step, payment.id, done));
  if (!isMoved) await changePayout(await services.ledger(), payment.id, done);
};

/** A payout that could not be made stays as it is, and is tried again later. */
const attempt = async (services: Services, payout: PayoutRow): Promise<void> => {
  const payment = await anyPayment(await services.ledger(), payout.payment_id);
  if (!payment) return;
  try {
    const paid = await payOut(services, payment, payout);
    if (paid) await finish(services, payment, paid);
  } catch (error) {
    await log(services.io, `the payout of ${payment.id} on ${payout.chain} failed: ${describeError(error)}`);
    const again = { due_ms: services.clock.now() + AGAIN_AFTER_MS, attempts: payout.attempts + 1 };
    await changePayout(await services.ledger(), payment.id, again);
  }
};

/** Pays the receivers of payments that came by a bridge, Pix or card, one after the other. */
export const startPayouts = (services: Services): Worker =>
  startWorker(services.io, 'the treasury', async () => {
    const ledger = await services.ledger();
    const due = await duePayouts(ledger, services.clock.now(), MAX_AT_ONCE);
    for (const payout of due) await attempt(services, payout);
    if (due.length > 0) return 0;
    const next = await nextPayoutMs(ledger);
    return next === undefined ? undefined : Math.max(0, next - services.clock.now());
  });
