import { chainAndNonceOf } from '../../chain/evm/transaction.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { type Finality, finalityOf, type SignedBytes } from '../node/finality.ts';
import { isAbsent, isNoAnswer, receiptOf } from '../node/receipt.ts';
import { waitFor } from '../waiting.ts';
import type { PayContext } from './context.ts';
import { liveData, MOVED } from './execute-failures.ts';
import { type PaymentState, readPayment } from './status.ts';

/** What shows whether money moved: a node, and the journal that has the signed bytes. */
type Judging = Pick<PayContext, 'client' | 'operation' | 'node'>;

/** The bytes of a hash, as the journal of this payment has them. */
const bytesOf = ({ operation }: Judging, hash: string): SignedBytes | undefined => {
  const { signed, started_at } = operation.state();
  const part = signed.find((each) => each.hash === hash);
  return part && { ...part, begunAt: Date.parse(started_at) };
};

const finalityOfHash = async (judging: Judging, hash: string): Promise<Finality> => {
  const bytes = bytesOf(judging, hash);
  return bytes ? finalityOf(judging.node, bytes) : 'open';
};

/** `missing`: the node has no receipt, or one of a block that may be exchanged. `unread`: the node did not answer. */
type Shown = 'landed' | 'missing' | 'reverted' | 'unread';

const look = async (judging: Judging, hash: string): Promise<Shown> => {
  try {
    const receipt = judging.node && (await receiptOf(judging.node, hash));
    if (receipt === 'landed') return receipt;
    // A receipt of a revert counts in final blocks alone; this also finds out that the node is of another chain.
    return (await finalityOfHash(judging, hash)) === 'reverted' ? 'reverted' : 'missing';
  } catch (error) {
    if (isNoAnswer(error)) return 'unread';
    throw error;
  }
};

/** The service reports a good end, and no node shows it. */
const unshown = (shown: Shown, origin: string, paymentId: string, hash: string): Failure => {
  const details = { data: { ...liveData(paymentId, hash), moved: null }, next: nextStep('pay.resume.live', paymentId) };
  const service = `the service reports payment ${paymentId} as executed`;
  const hint = `The transaction ${hash} may have been sent. Do not pay again. Name the same node when you resume.`;
  return shown === 'unread'
    ? new Failure('outcome_unknown', `${service}, and the node ${origin} does not answer`, { ...details, hint })
    : new Failure('not_final', `${service}, and the node ${origin} has no receipt of ${hash}`, { ...details, hint });
};

const noteEnded = ({ operation }: Judging, payment_id: string, tid_hash: string | undefined): Promise<void> =>
  operation.note({ step: 'ended', payment_id, status: 'error', tid_hash });

/**
 * Waits for the receipt of a transaction whose payment the service reports as executed. Without a node the service's
 * word counts. Throws `not_final` without a receipt when the time is over, `outcome_unknown` where the node does not
 * answer, and `payment_failed` for a transaction that was reverted.
 */
export const assertLanded = async (judging: Judging, paymentId: string, hash: string): Promise<void> => {
  const { node, client } = judging;
  if (node === undefined) return;
  const landing = waitFor<Shown>(client, {
    read: () => look(judging, hash),
    stateOf: (shown) => shown,
    onState: () => undefined,
    isDone: (shown) => {
      if (shown !== 'reverted') return shown === 'landed';
      throw new Failure('payment_failed', `the transaction of payment ${paymentId} was reverted on the chain`, {
        data: { payment_id: paymentId, tid_hash: hash, hash, live: false, moved: false },
        hint: `The service reports the payment as executed. The money did not move, but for the fee (${hash}).`,
        next: nextStep('pay.status', paymentId),
      });
    },
    notFinal: (shown) => unshown(shown, node.origin, paymentId, hash),
  });
  await client.io.spin('Waiting for the receipt', landing).catch(async (error: unknown) => {
    if (isFailure(error, 'payment_failed')) await noteEnded(judging, paymentId, hash);
    throw error;
  });
};

/**
 * Checks that the node shows the transaction of a payment in success that was not executed from here. Without a node the
 * service's word counts. Throws `outcome_unknown` where the service names no transaction, and as `assertLanded`.
 */
export const assertShown = async (judging: Judging, { id, tid_hash }: PaymentState): Promise<void> => {
  if (tid_hash) return assertLanded(judging, id, tid_hash);
  if (judging.node === undefined) return;
  const service = `the service reports payment ${id} as executed`;
  throw new Failure('outcome_unknown', `${service}, and names no transaction that ${judging.node.origin} could show`, {
    data: { payment_id: id, moved: null },
    hint: 'Nothing was sent from here. Do not pay again before it is known who executed it.',
    next: nextStep('pay.status', id),
  });
};

const HOW = { ...MOVED, absent: 'The node has no such transaction: the money did not move.' } as const;

/** In a sandbox nobody but its service hands bytes to its nodes: what a payment in error left out stays out. */
export const isAbsentForGood = async (
  { node }: Pick<PayContext, 'node'>,
  { signed_transaction, hash }: Pick<SignedBytes, 'signed_transaction' | 'hash'>,
): Promise<boolean> =>
  node !== undefined &&
  kindOfChainId(chainAndNonceOf(signed_transaction).chainId) === 'sandbox' &&
  isAbsent(node, hash);

/** What the service says of the error, in its own words. */
const reasonOf = (data: unknown): string => {
  const message = (data as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' && message !== '' ? `: ${briefly(message)}` : '';
};

/** Writes down how a payment in error ended: what landed was sent, and of the rest nothing is under way. */
const noteError = async (judging: Judging, payment_id: string, hash: string, hasMoved: boolean): Promise<void> => {
  await judging.operation.note(hasMoved ? { step: 'landed', part: 1, hash } : { step: 'dead', hash });
  await noteEnded(judging, payment_id, hasMoved ? hash : undefined);
};

/**
 * The failure of a payment that ended in error, with whether its money moved; it is written down. `undefined` where no
 * node shows that: the signed bytes may still land.
 */
export const endedByNode = async (
  judging: Judging,
  { id, data_error }: Pick<PaymentState, 'id' | 'data_error'>,
  hash: string,
): Promise<Failure | undefined> => {
  const bytes = bytesOf(judging, hash);
  if (judging.node === undefined || bytes === undefined) return undefined;
  const finality = await finalityOf(judging.node, bytes);
  const shown = finality === 'open' && (await isAbsentForGood(judging, bytes)) ? 'absent' : finality;
  if (shown === 'open') return undefined;
  const hasMoved = shown === 'landed';
  const failure = new Failure('payment_failed', `payment ${id} ended in error${reasonOf(data_error)}`, {
    data: { payment_id: id, tid_hash: hash, hash, live: false, moved: hasMoved, data_error: data_error ?? null },
    hint: `${HOW[shown]} (${hash})`,
    next: nextStep('pay.status', id),
  });
  await noteError(judging, id, hash, hasMoved);
  return failure;
};

/** The service gave the payment up, and the node does not show yet what became of its transaction. */
export const errorInDoubt = (paymentId: string, hash: string): Failure =>
  new Failure('outcome_unknown', `payment ${paymentId} ended in error, and the node does not settle its transaction`, {
    data: { ...liveData(paymentId, hash), moved: null },
    hint: `The transaction ${hash} may still land. Do not pay again before that is known.`,
    next: nextStep('pay.resume.live', paymentId),
  });

/**
 * What an execute that failed came to: where the payment is in error, or the service said that it failed, and a node
 * shows whether its money moved. Otherwise the same failure.
 */
export const judgedByNode = async (
  judging: Judging,
  paymentId: string,
  hash: string,
  error: unknown,
): Promise<unknown> => {
  const isFailed = isFailure(error, 'payment_failed');
  if (judging.node === undefined || !(isFailed || isFailure(error, 'outcome_unknown'))) return error;
  try {
    const payment = await readPayment(judging.client, paymentId);
    if (payment.status !== 'error' && !isFailed) return error;
    return (await endedByNode(judging, payment, hash)) ?? error;
  } catch {
    return error;
  }
};
