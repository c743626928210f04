import { pixCharge } from '../../contract/pay/fiat-tx.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { PixFacts } from '../../journal/entry.ts';
import type { Preparing } from '../pay/prepare.ts';
import type { PaymentState } from '../pay/status.ts';
import { payableOf } from './pix.ts';
import type { ChargeResumption } from './resumption.ts';
import { type Charge, showAgain } from './run.ts';

/** Refusals that leave nothing behind, and the payment open. */
const REFUSED: readonly (string | undefined)[] = ['identity_gate', 'unauthorized'];

/** Whether the payment shows a Pix that was asked for here and whose code nobody was shown. */
const hasLostPix = ({ state: { stage, stop }, intent }: ChargeResumption, payment: PaymentState): boolean =>
  (stage === 'creating' || stage === 'created') &&
  !REFUSED.includes(stop?.code) &&
  payment['transaction_type'] === intent.type;

/**
 * A Pix whose answer was lost exists: another could be paid as well. Its own code is shown where the payment has it;
 * otherwise making another takes a person who has looked.
 */
export const settlePix = async (
  context: Preparing,
  resumption: ChargeResumption,
  payment: PaymentState,
): Promise<Charge | undefined> => {
  const { state, intent, isConfirmed } = resumption;
  const isWithheld = state.stage === 'withheld';
  if (intent.operation !== 'pix' || !(isWithheld || hasLostPix(resumption, payment))) return undefined;
  const { fiat_tx, global_payment_data } = payment;
  const own = [fiat_tx, global_payment_data].find((each) => pixCharge.safeParse(each).success);
  if (own) return showAgain(context, payment.id, await payableOf(context, payment.id, intent, own));
  // Nobody was shown the code of the other.
  if (isWithheld) return undefined;
  const says = `Payment ${payment.id} has a Pix already, whose code was lost with the answer and is not shown again.`;
  if (await isConfirmed(`${says} Make another, which could be paid beside it?`)) return undefined;
  throw new Failure('outcome_unknown', says, {
    data: { payment_id: payment.id, tid_hash: null },
    hint: 'Another could be paid beside it, so none was made. A person at a terminal may have it made.',
    next: nextStep('pay.resume.charge', state.id),
  });
};

/** How long after its time a Pix may still turn out to be paid: a service may hear of it late. */
const LATE_MS = 24 * 60 * 60 * 1000;

/** Its time is long over and the service does not show it paid: its movement ends, whatever becomes of the payment. */
export const assertAlive = async (
  { client, operation }: Preparing,
  id: string,
  { expires_at }: PixFacts,
): Promise<void> => {
  if (client.io.clock.now() <= Date.parse(expires_at) + LATE_MS) return;
  await operation.record({ step: 'ended', payment_id: id, status: 'expired', tid_hash: undefined });
  throw new Failure(
    'payment_failed',
    `the Pix of payment ${id} expired at ${expires_at}, and the service does not show it paid`,
    {
      data: { payment_id: id, tid_hash: null },
      next: nextStep('pay.status', id),
    },
  );
};
