import { isFinalCode } from '../core/failure.ts';
import { WIRE_STATUSES } from '../core/wire-names.ts';
import { isChargeIntent, isSigningIntent, isStepIntent } from './intents.ts';
import { type EndStatus, mayBeSent, type OperationState, type Sent } from './operation-state.ts';

/**
 * The status of an operation:
 * - final: `success`, `error` or `expired` of a payment, `settled` of a yield operation, `superseded` of any;
 * - `sent`: its transaction or card was accepted, and the final state is not known yet;
 * - `in_doubt`: its transaction or card may have been sent;
 * - `payable`: its Pix code was shown;
 * - `needs_identity`: the service requires the payer's identity; nothing was sent;
 * - `declined`: the user declined the review; nothing was sent, and a resume by id continues it;
 * - `unfinished`: no money was sent, and it can be resumed;
 * - `refused` by the review, `failed` permanently: nothing moved;
 * - `registered`, `created`: a single step of a payment; it moved nothing;
 * - `signed`: only a signature was made; anyone who has the signed bytes can send them.
 */
export type OperationStatus =
  | EndStatus
  | 'sent'
  | 'in_doubt'
  | 'payable'
  | 'needs_identity'
  | 'declined'
  | 'unfinished'
  | 'refused'
  | 'failed'
  | 'registered'
  | 'created'
  | 'signed';

/**
 * Whether a card was sent: `maybe` while the result of the call is unknown, `yes` when the service accepted it. A
 * doubt remains until the card is accepted or the payment ends.
 */
export const cardSent = ({ started: { intent }, stage, stop, isCardInDoubt }: OperationState): Sent => {
  if (!isChargeIntent(intent) || intent.operation !== 'card') return 'no';
  if (stage === 'created') return 'yes';
  return stage === 'creating' && (isCardInDoubt || stop?.is_unknown !== false) ? 'maybe' : 'no';
};

/** Whether the operation may have moved money, or still can. */
export const mayHaveMoved = (state: OperationState): boolean =>
  state.signed.some(mayBeSent) || cardSent(state) !== 'no';

/** Refusals of a request that end a single step: its user runs it again. */
const REFUSALS: readonly string[] = ['identity_gate', 'unauthorized', 'limit_reached'];

/**
 * Whether the charge of a `pay transaction` was refused, so that its user runs it again. A Pix whose answer was lost may
 * exist, and after a code that was not shown a resume makes another.
 */
const isRefusedStep = ({ started: { intent, payment_id }, stage }: OperationState, code: string): boolean => {
  if (!isChargeIntent(intent) || payment_id === undefined) return false;
  if (intent.operation === 'card') return true;
  return stage === 'created' ? code === 'unexpected_answer' : stage === 'creating' && REFUSALS.includes(code);
};

/** Whether an operation needs no further action or check. */
export const isTerminal = (state: OperationState): boolean => {
  const { started, stage, stop } = state;
  // bursar sends nothing for these, so there is nothing to resume.
  if (isStepIntent(started.intent) || isSigningIntent(started.intent)) return true;
  if (stage === 'settled' || stage === 'superseded') return true;
  // A failed payment does not prove that its sent bytes cannot land.
  if (stage === 'ended') return state.status !== 'error' || !state.signed.some(({ sent }) => sent === 'maybe');
  if (mayHaveMoved(state)) return false;
  if (stop === undefined || stop.is_unknown) return false;
  return isFinalCode(stop.code) || isRefusedStep(state, stop.code);
};

/** Whether nothing will be sent again: it is closed, or its Pix code was shown. */
export const needsNoInputs = (state: OperationState): boolean => isTerminal(state) || state.pix !== undefined;

/** The status of a stopped operation, by its failure. */
const WAITS_FOR: Readonly<Record<string, OperationStatus>> = { identity_gate: 'needs_identity', declined: 'declined' };

/** Whether its money may still move, or have moved unnoticed: also after an end in error that only the service states. */
export const isInDoubtStill = (state: OperationState): boolean =>
  mayHaveMoved(state) && (!isTerminal(state) || statusOf(state) === 'error');

/** Computes the status of an operation. */
export const statusOf = (state: OperationState): OperationStatus => {
  const { stop, signed, status, stage } = state;
  const hasEnded = isTerminal(state);
  if (status !== undefined && hasEnded) return status;
  const sent = [...signed.map((part) => part.sent), hasEnded ? 'no' : cardSent(state)];
  if (sent.includes('maybe')) return 'in_doubt';
  if (sent.includes('yes')) return 'sent';
  if (!hasEnded && state.pix) return 'payable';
  if (!hasEnded) return WAITS_FOR[stop?.code ?? ''] ?? 'unfinished';
  const isReached = stage === 'registered' || stage === 'created';
  if (isStepIntent(state.started.intent) && isReached && !state.isContradicted) return stage;
  if (isSigningIntent(state.started.intent) && signed.length > 0) return 'signed';
  return stop?.code === 'refused_by_review' ? 'refused' : 'failed';
};

/** The status as lists and `--json` name it. */
export const wireStatusOf = (state: OperationState): string => {
  const status = statusOf(state);
  return status === 'superseded' ? WIRE_STATUSES[status] : status;
};

/** Whether an operation can no longer change and may enter the index. */
export const hasEnded = (state: OperationState): boolean => isTerminal(state) && statusOf(state) !== 'in_doubt';
