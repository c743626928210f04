import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { cardSent } from '../../journal/card-sent.ts';
import type { PaymentState } from '../pay/status.ts';
import { cardShownBy } from './card.ts';
import type { ChargeResumption } from './resumption.ts';
import type { Charge } from './run.ts';

/** A card that was sent is not sent again because nothing is seen of it: that takes a person who has looked. */
export const settleCard = async (resumption: ChargeResumption, payment: PaymentState): Promise<Charge | undefined> => {
  const { state, intent, isConfirmed } = resumption;
  const sent = cardSent(state);
  if (sent === 'no') return undefined;
  const taken = { payment_id: payment.id, pix: undefined };
  if (sent === 'yes' || cardShownBy(payment, { transaction_type: intent.type })) return taken;
  if (!EXECUTABLE_STATUSES.includes(payment.status)) return taken;
  const says = `The card may have been sent for payment ${payment.id}, which is ${payment.status} and shows no charge (yet).`;
  if (await isConfirmed(`${says} Send the card again all the same?`)) return undefined;
  throw new Failure('outcome_unknown', says, {
    data: { payment_id: payment.id, tid_hash: null },
    hint: 'It may have been charged. Do not send it again before you have looked where cards are charged.',
    next: nextStep('pay.resume.charge', state.id),
  });
};
