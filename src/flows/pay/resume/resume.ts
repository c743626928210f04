import { isFailure } from '../../../core/failure.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import type { PayContext } from '../context.ts';
import { readPayment } from '../status.ts';
import { type Resumed, type Resumption, unknown } from './resumption.ts';
import { settleSent } from './settle.ts';
import { resumeUnsent, startAgain } from './unsent.ts';

/** With bytes that may have been sent, a state that cannot be read leaves all in doubt. */
const readBack = async (context: PayContext, resumption: Resumption, open: readonly SignedPart[]) => {
  const paymentId = resumption.state.payment_id ?? '';
  try {
    const payment = await readPayment(context.client, paymentId);
    await context.on({ kind: 'read_back', status: payment.status, isLost: false });
    return payment;
  } catch (error) {
    const newest = open.at(-1);
    if (!newest || !isFailure(error) || error.code === 'interrupted') throw error;
    throw unknown(resumption, paymentId, newest, `the payment cannot be read back: ${error.sentence}`, error);
  }
};

/**
 * Finds out what became of a payment and brings it to its end: reads it back, asks a node where there is one, sends
 * approved bytes again, and, with the user's word, signs what was not signed. Another transaction is signed only when
 * the one before is shown to be dead. Throws `outcome_unknown` with the hash where that cannot be shown, `not_final`
 * where it waits for something, `payment_failed` when it ended in error.
 */
export const resumePayment = async (context: PayContext, resumption: Resumption): Promise<Resumed> => {
  const { state } = resumption;
  if (state.payment_id === undefined) return startAgain(context, resumption);
  const open = state.signed.filter(({ sent }) => sent !== 'no');
  const payment = await readBack(context, resumption, open);
  return open.length > 0 ? settleSent(context, resumption, payment, open) : resumeUnsent(context, resumption, payment);
};
