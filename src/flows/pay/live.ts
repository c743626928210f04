import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isSameText } from '../../core/same-text.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { type LiveBytes, liveOfPayment, paidByThese } from '../../journal/doubt.ts';
import { finalityOf } from '../node/finality.ts';
import type { PayContext } from './context.ts';
import { holdsPlace, type Place } from './nonce.ts';

/** The transaction to sign or send; it has a hash if it is already signed. */
export type Candidate = Place & { readonly hash?: string | undefined };

type Asking = Pick<PayContext, 'client' | 'node' | 'confirmDespiteDoubt'>;

/** Bytes that can never land according to a node, or that paid another payment. */
const isDead = async ({ client, node }: Asking, { state, part }: LiveBytes): Promise<boolean> => {
  if (await paidByThese(client.io, state, part.hash)) return true;
  const finality = await finalityOf(node, { ...part, begunAt: Date.parse(state.started_at) });
  return finality === 'dead' || finality === 'reverted';
};

const stillLive = (paymentId: string, { state, part }: LiveBytes): Failure =>
  new Failure('outcome_unknown', `another transaction of payment ${paymentId} may still be sent: ${part.hash}`, {
    data: { payment_id: paymentId, hash: part.hash, live: true, [WIRE_ID]: state.id },
    hint: 'Nothing was signed or sent now: both could pay. Another one with the same nonce may be signed, or any other when a node (--rpc-url) shows that the first can never land.',
    next: nextStep('operation.resume.earlier', 'pay', state.id),
  });

/**
 * Refuses another transaction while sent bytes of the payment may still land. Another one is allowed with the same
 * nonce, if a node shows the first cannot land, or if the user confirms. The same bytes may be sent again. Throws
 * `outcome_unknown`.
 */
export const assertNoOther = async (context: Asking, paymentId: string, candidate: Candidate): Promise<void> => {
  const live = await liveOfPayment(context.client.io, paymentId);
  const { hash } = candidate;
  if (hash !== undefined && live.some(({ part }) => isSameText(part.hash, hash))) return;
  for (const bytes of live) {
    if (holdsPlace(bytes.part, candidate) || (await isDead(context, bytes))) continue;
    const failure = stillLive(paymentId, bytes);
    const question = `The transaction ${bytes.part.hash} of payment ${paymentId} may still be sent, and both could pay. Sign another one?`;
    if (!(await context.confirmDespiteDoubt?.(question))) throw failure;
  }
};
