import type { SignedPart } from '../../../journal/operation-state.ts';
import type { PayContext } from '../context.ts';
import { executePayment } from '../execute.ts';
import { inTurn } from '../nonce.ts';
import { waitForEnd } from '../run.ts';
import type { PaymentResult, Resumption } from './resumption.ts';

/** Sends the same bytes again: they cannot pay twice. `asKnown` refines a send failure with the known state. */
export const sendAgain = async (
  context: PayContext,
  resumption: Resumption,
  part: SignedPart,
  asKnown: (error: unknown) => unknown = (error) => error,
): Promise<PaymentResult> => {
  const paymentId = resumption.state.payment_id ?? '';
  const { hash } = await inTurn(context, resumption.intent, (held) => executePayment(held, paymentId, part)).catch(
    (error: unknown) => {
      throw asKnown(error);
    },
  );
  return { payment_id: paymentId, hash, payment: await waitForEnd(context, paymentId, hash) };
};
