import type { SignedPart } from '../../../journal/operation-state.ts';
import type { PayContext } from '../context.ts';
import { executePayment } from '../execute.ts';
import { inTurn } from '../in-turn.ts';
import { waitForEnd } from '../run.ts';
import type { Resumed, Resumption } from './resumption.ts';

/** The same bytes once more: they cannot pay twice. `asKnown` says of a failure to send what is known of the money. */
export const sendAgain = async (
  context: PayContext,
  resumption: Resumption,
  part: SignedPart,
  asKnown: (error: unknown) => unknown = (error) => error,
): Promise<Resumed> => {
  const paymentId = resumption.state.payment_id ?? '';
  const { hash } = await inTurn(context, resumption.intent, (held) => executePayment(held, paymentId, part)).catch(
    (error: unknown) => {
      throw asKnown(error);
    },
  );
  return { payment_id: paymentId, hash, payment: await waitForEnd(context, paymentId, hash) };
};
