import { chainAndNonceOf } from '../../../chain/evm/transaction.ts';
import { EXECUTABLE_STATUSES, STALE_NONCE } from '../../../contract/pay/shared.ts';
import { Failure, type FailureCode, isFailure, withDetails } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/text.ts';
import { liveOfPayment, paidByThese } from '../../../journal/doubt.ts';
import { mayBeSent, type SignedPart } from '../../../journal/operation-state.ts';
import { type Finality, finalityOf } from '../../node/finality.ts';
import type { PayContext } from '../context.ts';
import { besideLive, endedInError, sameHash } from '../execute.ts';
import { assertLanded, isAbsentForGood, MOVED, noteError, settledData } from '../landed.ts';
import { holdsPlace, type Place } from '../nonce.ts';
import { noteEnd, waitForEnd } from '../run.ts';
import { assertShown } from '../shown.ts';
import type { PaymentState } from '../status.ts';
import {
  followPayment,
  heldBack,
  type PaymentResult,
  type Resumption,
  type SettleInput,
  unknown,
  unknownToService,
} from './resumption.ts';
import { afterSending, sendAgain, signAnew } from './send.ts';

/** The outcome of sent bytes: what a node shows, or that they paid another payment. */
type Known = { readonly part: SignedPart; readonly finality: Finality | 'paid_other' };

const finalityNow = async ({ node, client }: PayContext, { state }: Resumption, part: SignedPart): Promise<Known> => {
  if (await paidByThese(client.io, state, part.hash)) return { part, finality: 'paid_other' };
  return { part, finality: await finalityOf(node, { ...part, begunAt: Date.parse(state.started_at) }) };
};

const placeOfPart = ({ signed_transaction: hex, from }: SignedPart): Place => ({ ...chainAndNonceOf(hex), from });

/** Once bytes have landed, no others with the same nonce can land. */
const besideLanded = (all: readonly Known[]): readonly Known[] => {
  const landed = all.filter(({ finality }) => finality === 'landed').map(({ part }) => placeOfPart(part));
  const isDead = ({ part, finality }: Known) => finality === 'open' && landed.some((place) => holdsPlace(part, place));
  return all.map((each) => (isDead(each) ? { part: each.part, finality: 'dead' } : each));
};

/** Determines the outcome of all sent bytes. Bytes that can never land are recorded. */
const settleBytes = async ({ context, resumption, open }: Omit<SettleInput, 'payment'>): Promise<readonly Known[]> => {
  const all: Known[] = [];
  for (const part of open) all.push(await finalityNow(context, resumption, part));
  const known = besideLanded(all);
  for (const { part, finality } of known) {
    if (finality !== 'open' && finality !== 'landed') await context.operation.record({ step: 'dead', hash: part.hash });
  }
  return known;
};

/** In the sandbox, bytes of a failed payment that the node lacks are never sent. */
const withoutAbsent = async (context: PayContext, all: readonly Known[]): Promise<readonly Known[]> => {
  const known: Known[] = [];
  for (const each of all) {
    const isAbsent = each.finality === 'open' && (await isAbsentForGood(context, each.part));
    if (isAbsent) await context.operation.record({ step: 'dead', hash: each.part.hash });
    known.push(isAbsent ? { part: each.part, finality: 'dead' } : each);
  }
  return known;
};

/** The payment failed. The chain decides whether money moved. */
const endInError = async (settling: SettleInput): Promise<never> => {
  const { context, payment } = settling;
  const known = await withoutAbsent(context, await settleBytes(settling));
  const found = (finality: Known['finality']) => known.findLast((each) => each.finality === finality)?.part;
  const [landed, live] = [found('landed'), found('open')];
  if (!landed && live) {
    const isOwn = ({ part, finality }: Known) => finality === 'open' && sameHash(payment.tid_hash, part.hash);
    const own = known.find(isOwn)?.part;
    if (own) throw endedInError(context, payment, own.hash);
    throw unknownToService(settling, live, `payment ${payment.id} ended in error, and nothing shows its transaction`);
  }
  const { operation } = context;
  const { part, finality } = known.find((each) => each.part === landed) ?? (known.at(-1) as Known);
  const isForOther = known.every((each) => each.finality === 'paid_other');
  // It paid nothing, so its idempotency key is free again.
  if (isForOther)
    await operation.note({ step: 'failed', code: 'payment_failed', status: undefined, is_unknown: false });
  else if (landed) await noteError(context, payment.id, landed.hash, true);
  else noteEnd(context, payment);
  throw new Failure('payment_failed', `payment ${payment.id} ended in error`, {
    data: { ...settledData(payment.id, part.hash, finality === 'landed'), data_error: payment.data_error },
    hint: `${finality === 'paid_other' || finality === 'open' ? PAID_OTHER : MOVED[finality]} (${part.hash})`,
    next: nextStep('pay.status', payment.id),
  });
};

const PAID_OTHER = 'The same signed transaction paid another payment: nothing was paid for this one.';

const SAYS_ITSELF: readonly FailureCode[] = ['outcome_unknown', 'payment_failed', 'not_final'];

/**
 * A call that did not reach the service proves nothing about an earlier call. A refusal proves nothing either if an
 * earlier call may have delivered the bytes.
 */
const stillInDoubt = (settling: Omit<SettleInput, 'open'>, part: SignedPart, error: unknown): unknown => {
  if (!isFailure(error) || SAYS_ITSELF.includes(error.code)) return error;
  const { context, resumption, payment } = settling;
  const { code, sentence, details } = error;
  const isRefused = context.operation.state().signed.some((each) => each.hash === part.hash && each.isRefused);
  if (isRefused && !details.isUnsent) return error;
  if (code === 'refused_by_review') return heldBack(resumption, payment.id, part, error);
  return code === 'interrupted'
    ? unknown(resumption, payment.id, part, sentence, error)
    : unknownToService(settling, part, sentence, error);
};

/** Refusals after which new bytes are accepted: the same nonce prevents a second payment. */
const OF_BYTES: readonly unknown[] = ['invalid_signed_transaction', 'missing_unsigned_transaction', STALE_NONCE];

/**
 * Sends the same bytes again. If the service refuses them, signs another transaction with the same nonce, or after the
 * user confirms.
 */
const sendOrReplace = async (context: PayContext, resumption: Resumption, payment: PaymentState, part: SignedPart) => {
  const { operation } = context;
  let refusal: Failure | undefined;
  try {
    await sendAgain(context, resumption, part);
  } catch (error) {
    const known = stillInDoubt({ context, resumption, payment }, part, error);
    const { withKey, inputs } = resumption;
    const mayReplace =
      withKey && !inputs.signed_transaction && isFailure(error) && OF_BYTES.includes(error.details.status);
    if (!mayReplace || !isFailure(known)) throw known;
    refusal = known;
  }
  if (refusal === undefined) return afterSending(context, resumption, part.hash);
  const signedBefore = operation.state().signed.length;
  return signAnew(context, resumption, payment).catch((error: unknown) => {
    const hasLeft = operation.state().signed.slice(signedBefore).some(mayBeSent);
    // The failure of another transaction names that one, unless it has not left this machine.
    if (!isFailure(error) || hasLeft) throw error;
    // No other transaction may or can be signed: report the first refusal.
    const isNoOther = error.code === 'outcome_unknown' || error.code === 'invalid_input';
    throw isNoOther ? refusal : besideLive(error, payment.id, part.hash);
  });
};

/** The service shows the payment as not executed, though its bytes may have been sent. */
const settleIdle = async (settling: SettleInput): Promise<PaymentResult> => {
  const { context, resumption, payment } = settling;
  const known = await settleBytes(settling);
  const landed = known.find(({ finality }) => finality === 'landed')?.part;
  if (landed) {
    const why = `the transaction ${landed.hash} has landed, and the service shows the payment as ${inSentence(payment.status)}`;
    throw unknownToService(settling, landed, why);
  }
  const live = known.findLast(({ finality }) => finality === 'open')?.part;
  return live ? sendOrReplace(context, resumption, payment, live) : signAnew(context, resumption, payment);
};

const GONE =
  'Neither the sandbox nor its chain has this payment. If it was reset or started anew, only the record is left.';

/** The service does not show the payment, though its bytes may have been sent. A node shows what became of them. */
export const settleHidden = async (settling: Omit<SettleInput, 'payment'>, cause: Failure): Promise<Failure> => {
  const { resumption } = settling;
  const { id, payment_id: paymentId = '' } = resumption.state;
  const known = await settleBytes(settling);
  const [landed, open] = (['landed', 'open'] as const).map(
    (sought) => known.findLast(({ finality }) => finality === sought)?.part,
  );
  if (landed) {
    const why = `the transaction ${landed.hash} has landed, and the service does not show the payment`;
    const hint = `The money moved. Ask the service for the payment, or remove it from the journal: bursar pay forget ${id}.`;
    const failure = unknown(resumption, paymentId, landed, why, cause);
    return withDetails(failure, { hint, next: nextStep('operation.show', 'pay', id) });
  }
  if (open) {
    const failure = unknown(resumption, paymentId, open, cause.sentence, cause);
    const isGone = await isAbsentForGood(settling.context, open);
    return isGone ? withDetails(failure, { hint: GONE, next: nextStep('operation.forget', 'pay', id) }) : failure;
  }
  const hint = known.at(-1)?.finality === 'reverted' ? MOVED.reverted : MOVED.dead;
  return withDetails(cause, { hint, next: nextStep('operation.forget', 'pay', id) });
};

/** Bytes of another operation that paid this payment, if none of these can land. */
const replacedBy = async (settling: SettleInput): Promise<SignedPart | undefined> => {
  const { id, tid_hash } = settling.payment;
  const paid = (await liveOfPayment(settling.context.client.io, id)).find(({ part }) =>
    sameHash(tid_hash, part.hash),
  )?.part;
  if (!paid) return undefined;
  const known = await settleBytes(settling);
  const canLand = ({ part, finality }: Known) =>
    finality === 'landed' || (finality === 'open' && !holdsPlace(part, placeOfPart(paid)));
  return known.some(canLand) ? undefined : paid;
};

/**
 * The hash of a transaction from another machine that paid this payment: a node shows it, and that these can never land.
 * Throws as `assertShown`.
 */
const paidElsewhere = async (settling: SettleInput): Promise<string | null> => {
  const { context, resumption, payment } = settling;
  if (context.node === undefined || payment.status !== 'success') return null;
  const known = await settleBytes(settling);
  const canNeverLand = known.every(({ finality }) => finality === 'dead' || finality === 'reverted');
  return canNeverLand ? assertShown(context, resumption, payment) : null;
};

/** The end of a payment that was made, with its transaction. */
const endOf = ({ context, payment }: SettleInput, hash: string): PaymentResult => {
  noteEnd(context, payment);
  return { payment_id: payment.id, hash, payment };
};

const settleSuccess = async (settling: SettleInput): Promise<PaymentResult> => {
  const { context, resumption, payment, open } = settling;
  const newest = open.at(-1) as SignedPart;
  const own = payment.tid_hash
    ? (open.find(({ hash }) => sameHash(payment.tid_hash, hash)) ?? (await replacedBy(settling)))
    : (await finalityNow(context, resumption, newest)).finality === 'landed' && newest;
  if (!own) {
    const hash = payment.tid_hash && (await paidElsewhere(settling));
    if (hash) return endOf(settling, hash);
    const shown = payment.tid_hash ? `the hash ${inSentence(payment.tid_hash)}` : 'no hash';
    const why = `payment ${payment.id} is ${payment.status} with ${shown}, and ${newest.hash} was sent`;
    throw unknownToService(settling, newest, why);
  }
  if (payment.status !== 'success') {
    return { payment_id: payment.id, hash: own.hash, ...(await waitForEnd(context, payment.id, own.hash)) };
  }
  const feePaid = await assertLanded(context, payment.id, own.hash);
  return { ...endOf(settling, own.hash), feePaid };
};

/**
 * Determines the outcome of possibly sent bytes and completes their payment. Signs another transaction only if none of
 * them can land, or with the same nonce.
 */
export const settleSent = async (
  context: PayContext,
  resumption: Resumption,
  first: PaymentState,
  open: readonly SignedPart[],
): Promise<PaymentResult> => {
  const payment = first.status === 'processing' ? await followPayment(context, resumption, first.id) : first;
  const settling = { context, resumption, payment, open };
  if (payment.status === 'error') return endInError(settling);
  return EXECUTABLE_STATUSES.includes(payment.status) ? settleIdle(settling) : settleSuccess(settling);
};
