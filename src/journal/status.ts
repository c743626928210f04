import { WIRE_STATUSES } from '../core/wire-names.ts';
import { isChargeIntent, isSigningIntent, isStepIntent } from './intents.ts';
import { type EndStatus, mayBeSent, type OperationState, type Sent } from './operation-state.ts';

/**
 * Where an operation stands:
 * - an end: `success`, `error` or `expired` of a payment, `settled` of a yield operation, `superseded` of any;
 * - `sent`: its transaction or card was taken, and the end is not known yet;
 * - `in_doubt`: its transaction or card may have been sent;
 * - `payable`: its payer has the code of a Pix;
 * - `needs_identity`: the service asks for its payer's identity, and nothing was sent; it goes on when that is given;
 * - `declined`: the user said no to what the review showed; nothing was sent, and a resume by id continues it;
 * - `unfinished`: nothing was sent that moves money, and it can go on;
 * - `refused` by the review, `failed` for good: nothing moved;
 * - `registered`, `created`: a step of a payment that is made step by step; nothing moved by it;
 * - `signed`: only a signature was asked for; whoever has the signed bytes can send them.
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
 * Whether a card was sent: `maybe` when nothing says what became of the call, `yes` when it was taken and its end is not
 * known. Once in doubt it stays so until it was taken, or its payment ended.
 */
export const cardSent = ({ started: { intent }, stage, stop, isCardInDoubt }: OperationState): Sent => {
  if (!isChargeIntent(intent) || intent.operation !== 'card') return 'no';
  if (stage === 'created') return 'yes';
  return stage === 'creating' && (isCardInDoubt || stop?.is_unknown !== false) ? 'maybe' : 'no';
};

/** Whether money may have moved by it, or may yet. */
export const mayHaveMoved = (state: OperationState): boolean =>
  state.signed.some(mayBeSent) || cardSent(state) !== 'no';

/** Failures after which an operation does not go on: what was wrong would be wrong again, or the user said no. */
const ENDINGS: ReadonlySet<string> = new Set([
  'invalid_input',
  'refused_by_review',
  'rejected',
  'payment_failed',
  'not_found',
]);

/** Whether nothing is left to do or to find out about an operation. */
export const isTerminal = (state: OperationState): boolean => {
  const { started, stage, stop } = state;
  // bursar sends nothing of these itself, so nothing is left to resume.
  if (isStepIntent(started.intent) || isSigningIntent(started.intent)) return true;
  if (stage === 'settled' || stage === 'superseded') return true;
  // That a service gives a payment up says nothing of bytes that it was handed.
  if (stage === 'ended') return state.status !== 'error' || !state.signed.some(({ sent }) => sent === 'maybe');
  if (mayHaveMoved(state)) return false;
  return stop !== undefined && !stop.is_unknown && ENDINGS.has(stop.code);
};

/** Whether nothing of it will be sent again: it is over, or its payer has the code, which is only shown again. */
export const needsNoInputs = (state: OperationState): boolean => isTerminal(state) || state.pix !== undefined;

/** What an operation waits for, by what stopped it. */
const WAITS_FOR: Readonly<Record<string, OperationStatus>> = { identity_gate: 'needs_identity', declined: 'declined' };

/** Where an operation stands. */
export const statusOf = (state: OperationState): OperationStatus => {
  const { stop, signed, status, stage } = state;
  const hasEnded = isTerminal(state);
  if (status !== undefined && hasEnded) return status;
  const sent = [...signed.map((part) => part.sent), hasEnded ? 'no' : cardSent(state)];
  if (sent.includes('maybe')) return 'in_doubt';
  if (sent.includes('yes')) return 'sent';
  if (!hasEnded && state.pix) return 'payable';
  if (!hasEnded) return WAITS_FOR[stop?.code ?? ''] ?? 'unfinished';
  if (isStepIntent(state.started.intent) && (stage === 'registered' || stage === 'created')) return stage;
  if (isSigningIntent(state.started.intent) && signed.length > 0) return 'signed';
  return stop?.code === 'refused_by_review' ? 'refused' : 'failed';
};

/** The status as lists and `--json` name it. */
export const wireStatusOf = (state: OperationState): string => {
  const status = statusOf(state);
  return status === 'superseded' ? WIRE_STATUSES[status] : status;
};
