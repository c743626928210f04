import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure, type FailureCode, isFailure } from '../../../core/failure.ts';
import { shellWord } from '../../../core/shell.ts';
import type { SignedPart } from '../../../journal/movement-state.ts';
import { type Fate, fateOf } from '../../node/fate.ts';
import type { PayContext } from '../context.ts';
import { sameHash } from '../execute.ts';
import { noteEnd, waitForEnd } from '../run.ts';
import type { PaymentState } from '../status.ts';
import { followPayment } from './follow.ts';
import { type Resumed, type Resumption, unknown, unknownToService } from './resumption.ts';
import { sendAgain } from './send-again.ts';
import { signAnew } from './sign-anew.ts';

const MOVED = {
  landed: 'Its transaction has landed: the money moved.',
  reverted: 'Its transaction was reverted: the money did not move.',
  dead: 'Its transaction never landed and never can: the money did not move.',
} as const;

const fateNow = ({ node }: PayContext, { state }: Resumption, part: SignedPart): Promise<Fate> =>
  fateOf(node, { ...part, begunAt: Date.parse(state.begun_at) });

/** The service gave the payment up. Whether the money moved is for the chain to say. */
const endInError = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
  part: SignedPart,
): Promise<never> => {
  const fate = await fateNow(context, resumption, part);
  const isOurs = sameHash(payment.tid_hash, part.hash);
  if (fate === 'open' && !isOurs) {
    const why = `payment ${payment.id} ended in error, and nothing shows its transaction`;
    throw unknownToService(context, resumption, payment.id, part, { why });
  }
  await noteEnd(context, payment);
  throw new Failure('payment_failed', `payment ${payment.id} ended in error`, {
    data: { payment_id: payment.id, tid_hash: part.hash, data_error: payment.data_error },
    hint: fate === 'open' ? `Its transaction is ${part.hash}.` : `${MOVED[fate]} (${part.hash})`,
    next: `bursar pay status ${shellWord(payment.id)}`,
  });
};

const SAYS_ITSELF: readonly FailureCode[] = ['outcome_unknown', 'payment_failed', 'not_final'];

/** A call that certainly did not reach the service says nothing of the one before it, nor does one that was refused. */
const stillInDoubt =
  (context: PayContext, resumption: Resumption, payment: PaymentState, part: SignedPart) =>
  (error: unknown): unknown => {
    if (!isFailure(error) || SAYS_ITSELF.includes(error.code)) return error;
    const { code, sentence } = error;
    return code === 'interrupted'
      ? unknown(resumption, payment.id, part, sentence, error)
      : unknownToService(context, resumption, payment.id, part, { why: sentence, cause: error });
  };

/** The service holds the payment as not executed, though its bytes may have been handed over. */
const settleIdle = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
  part: SignedPart,
): Promise<Resumed> => {
  const fate = await fateNow(context, resumption, part);
  switch (fate) {
    case 'open':
      return sendAgain(context, resumption, part, stillInDoubt(context, resumption, payment, part));
    case 'landed':
      throw unknownToService(context, resumption, payment.id, part, {
        why: `the transaction ${part.hash} has landed, and the service shows the payment as ${payment.status}`,
      });
    case 'reverted':
    case 'dead':
      await context.movement.record({ step: 'dead', hash: part.hash });
      return signAnew(context, resumption, payment);
    default: {
      const never: never = fate;
      return never;
    }
  }
};

const settleSuccess = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
  open: readonly SignedPart[],
  newest: SignedPart,
): Promise<Resumed> => {
  const own = payment.tid_hash
    ? open.find(({ hash }) => sameHash(payment.tid_hash, hash))
    : (await fateNow(context, resumption, newest)) === 'landed' && newest;
  if (!own) {
    const shown = payment.tid_hash ? `the hash ${payment.tid_hash}` : 'no hash';
    const why = `payment ${payment.id} is ${payment.status} with ${shown}, and ${newest.hash} was sent`;
    throw unknownToService(context, resumption, payment.id, newest, { why });
  }
  const last = payment.status === 'success' ? payment : await waitForEnd(context, payment.id, own.hash);
  if (payment.status === 'success') await noteEnd(context, payment);
  return { payment_id: payment.id, hash: own.hash, payment: last };
};

/**
 * Finds out what became of bytes that may have been sent, and brings their payment to its end. Another transaction is
 * signed only when the newest is shown to be dead.
 */
export const settleSent = async (
  context: PayContext,
  resumption: Resumption,
  first: PaymentState,
  open: readonly SignedPart[],
): Promise<Resumed> => {
  const newest = open.at(-1) as SignedPart;
  const payment = first.status === 'processing' ? await followPayment(context, resumption, first.id) : first;
  if (payment.status === 'error') return endInError(context, resumption, payment, newest);
  if (EXECUTABLE_STATUSES.includes(payment.status)) return settleIdle(context, resumption, payment, newest);
  return settleSuccess(context, resumption, payment, open, newest);
};
