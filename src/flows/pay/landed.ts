import { chainAndNonceOf } from '../../chain/evm/transaction.ts';
import { type FeePaid, isAbsent, isNoAnswer, readReceipt } from '../../client/node.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { amended, Failure, isFailure, valueOn, withDetails } from '../../core/failure.ts';
import { briefly, textAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { hashSent, type OperationState } from '../../journal/operation-state.ts';
import { type Finality, finalityOf, type SignedBytes } from '../node/finality.ts';
import { asFailure, waitFor } from '../read-back.ts';
import type { PayContext } from './context.ts';
import { type PaymentState, readPayment } from './status.ts';

/** The sources that show whether money moved: a node, and the journal with the signed bytes. */
type LandingContext = Pick<PayContext, 'client' | 'node'> & {
  readonly operation: Pick<PayContext['operation'], 'state' | 'note' | 'noteEnd'>;
};

/** Sent bytes of a payment: they can land, whatever the service responded. */
export const liveData = (paymentId: string, hash: string) => ({
  payment_id: paymentId,
  tid_hash: hash,
  hash,
  live: true,
});

/** Sent bytes of a payment whose outcome a node shows. */
export const settledData = (paymentId: string, hash: string, moved: boolean) => ({
  ...liveData(paymentId, hash),
  live: false,
  moved,
});

/** The signed bytes of a hash in this payment's journal. */
const bytesOf = ({ operation }: LandingContext, hash: string): SignedBytes | undefined => {
  const { signed, started_at } = operation.state();
  const part = signed.find((each) => each.hash === hash);
  return part && { ...part, begunAt: Date.parse(started_at) };
};

/** `missing`: no final receipt. `unread`: the node did not respond. */
type Shown = { readonly state: 'landed' | 'missing' | 'reverted' | 'unread'; readonly fee?: FeePaid | undefined };

const look = async (context: LandingContext, hash: string): Promise<Shown> => {
  const receipt = context.node && (await readReceipt(context.node, hash));
  if (receipt?.state === 'landed') return { state: 'landed', fee: receipt.fee };
  const bytes = bytesOf(context, hash);
  // A revert counts only in final blocks. This also detects a node of another chain.
  return bytes && (await finalityOf(context.node, bytes)) === 'reverted' ? { state: 'reverted' } : { state: 'missing' };
};

/** The service reports success, and no node confirms it. */
const unshown = ({ state }: Shown, origin: string, paymentId: string, hash: string): Failure => {
  const details = { data: { ...liveData(paymentId, hash), moved: null }, next: nextStep('pay.resume.live', paymentId) };
  const service = `the service reports payment ${paymentId} as executed`;
  const hint = `The transaction ${hash} may have been sent. Do not pay again. Name the same node when you resume.`;
  return state === 'unread'
    ? new Failure('outcome_unknown', `${service}, and the node ${origin} does not answer`, { ...details, hint })
    : new Failure('not_final', `${service}, and the node ${origin} has no receipt of ${hash}`, { ...details, hint });
};

const SHOWN = { shown_by: 'node' } as const;

/** Records the end of a failed payment. `tid_hash`: the transaction that a node shows as landed. */
const noteEnded = ({ operation }: LandingContext, payment_id: string, tid_hash: string | undefined): void =>
  operation.noteEnd({ step: 'ended', payment_id, status: 'error', tid_hash, ...(tid_hash && SHOWN) });

/**
 * Waits for the receipt of a payment that the service reports as executed, and returns its fee, if the node shows it.
 * Without a node the service's report counts.
 * Throws `not_final` at the deadline and `outcome_unknown` if the node does not respond. Throws `payment_failed` for a
 * reverted transaction.
 */
export const assertLanded = async (context: LandingContext, paymentId: string, hash: string) => {
  const { node, client } = context;
  if (node === undefined) return undefined;
  const landing = waitFor<Shown>(client, {
    read: () => look(context, hash).catch(valueOn<Shown>(isNoAnswer, { state: 'unread' })),
    stateOf: ({ state }) => state,
    onState: () => undefined,
    isDone: ({ state }) => {
      if (state !== 'reverted') return state === 'landed';
      throw new Failure('payment_failed', `the transaction of payment ${paymentId} was reverted on the chain`, {
        data: settledData(paymentId, hash, false),
        hint: `The service reports the payment as executed. The money did not move, but for the fee (${hash}).`,
        next: nextStep('pay.status', paymentId),
      });
    },
    notFinal: (shown) => unshown(shown, node.origin, paymentId, hash),
  });
  const { fee } = await client.io.spin('Waiting for the receipt', landing).catch((error: unknown) => {
    if (isFailure(error, 'payment_failed')) noteEnded(context, paymentId, hash);
    throw error;
  });
  return fee;
};

/**
 * Checks a recorded success of which no node has shown the receipt: the service alone reported it. Throws as
 * `assertLanded`.
 */
export const assertEndShown = async (
  { client, node }: Pick<LandingContext, 'client' | 'node'>,
  state: OperationState,
): Promise<void> => {
  const hash = state.tid_hash ?? hashSent(state);
  if (state.payment_id === undefined || hash === undefined) return;
  const operation = { state: () => state, note: async () => undefined, noteEnd: () => undefined };
  await assertLanded({ client, node, operation }, state.payment_id, hash).catch(
    amended((failure) => withDetails(failure, { next: nextStep('pay.status', state.payment_id ?? '') })),
  );
};

/** The sentence for each finality that a node shows. */
export const MOVED: Readonly<Record<Exclude<Finality, 'open'>, string>> = {
  landed: 'Its transaction has landed: the money moved.',
  reverted: 'Its transaction was reverted: the money did not move.',
  dead: 'Its transaction never landed and never can: the money did not move.',
};

const HOW = { ...MOVED, absent: 'The node has no such transaction: the money did not move.' } as const;

/** Only the sandbox's service sends bytes to its nodes: bytes of a failed payment never arrive later. */
export const isAbsentForGood = async (
  { node }: Pick<PayContext, 'node'>,
  { signed_transaction, hash }: Pick<SignedBytes, 'signed_transaction' | 'hash'>,
): Promise<boolean> =>
  node !== undefined &&
  kindOfChainId(chainAndNonceOf(signed_transaction).chainId) === 'sandbox' &&
  isAbsent(node, hash);

/** The service's error message. */
const reasonOf = (data: unknown): string => {
  const message = textAt(data, 'message');
  return message ? `: ${briefly(message)}` : '';
};

/** Records the end of a failed payment: landed bytes were sent, and no others can land. */
export const noteError = async (
  context: LandingContext,
  payment_id: string,
  hash: string,
  hasMoved: boolean,
): Promise<void> => {
  await context.operation.note(hasMoved ? { step: 'landed', part: 1, hash } : { step: 'dead', hash });
  noteEnded(context, payment_id, hasMoved ? hash : undefined);
};

/**
 * The recorded failure of a payment in error, stating whether its money moved. `undefined` if no node shows that: the
 * signed bytes may still land.
 */
export const endedByNode = async (
  context: LandingContext,
  { id, data_error }: Pick<PaymentState, 'id' | 'data_error'>,
  hash: string,
): Promise<Failure | undefined> => {
  const bytes = bytesOf(context, hash);
  if (context.node === undefined || bytes === undefined) return undefined;
  const finality = await finalityOf(context.node, bytes);
  const shown = finality === 'open' && (await isAbsentForGood(context, bytes)) ? 'absent' : finality;
  if (shown === 'open') return undefined;
  const hasMoved = shown === 'landed';
  const failure = new Failure('payment_failed', `payment ${id} ended in error${reasonOf(data_error)}`, {
    data: { ...settledData(id, hash, hasMoved), data_error: data_error ?? null },
    hint: `${HOW[shown]} (${hash})`,
    next: nextStep('pay.status', id),
  });
  await noteError(context, id, hash, hasMoved);
  return failure;
};

/** The payment failed, and the node does not show the outcome of its transaction yet. */
export const errorInDoubt = (paymentId: string, hash: string): Failure =>
  new Failure('outcome_unknown', `payment ${paymentId} ended in error, and the node does not settle its transaction`, {
    data: { ...liveData(paymentId, hash), moved: null },
    hint: `The transaction ${hash} may still land. Do not pay again before that is known.`,
    next: nextStep('pay.resume.live', paymentId),
  });

/**
 * Refines the failure of an execute. Applies when the payment is in error, or the service reported a failure, and a
 * node shows whether money moved. Otherwise returns the same failure.
 */
export const checkedByNode = async (context: LandingContext, paymentId: string, hash: string, error: unknown) => {
  const isFailed = isFailure(error, 'payment_failed');
  if (context.node === undefined || !(isFailed || isFailure(error, 'outcome_unknown'))) return error;
  try {
    const payment = await readPayment(context.client, paymentId);
    if (payment.status !== 'error' && !isFailed) return error;
    const ended = await endedByNode(context, payment, hash);
    // The node shows what happened; the answer of the service stays beside it.
    const { status, http } = asFailure(error).details;
    return ended ? withDetails(ended, { status, http }) : error;
  } catch {
    return error;
  }
};
