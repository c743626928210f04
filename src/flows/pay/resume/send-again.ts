import type { SignedPart } from '../../../journal/movement-state.ts';
import type { PayContext } from '../context.ts';
import { executePayment } from '../execute.ts';
import { waitForEnd } from '../run.ts';
import type { Resumed, Resumption } from './resumption.ts';

/** The same bytes once more: they cannot pay twice. */
export const sendAgain = async (context: PayContext, resumption: Resumption, part: SignedPart): Promise<Resumed> => {
  const paymentId = resumption.state.payment_id ?? '';
  const { hash } = await executePayment(context, paymentId, part);
  return { payment_id: paymentId, hash, payment: await waitForEnd(context, paymentId, hash) };
};
