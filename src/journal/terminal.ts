import { cardSent } from './card-sent.ts';
import { isSigningIntent, isStepIntent } from './intents.ts';
import { mayBeSent, type OperationState } from './operation-state.ts';

/** Whether money may have moved by it, or may yet. */
export const mayHaveMoved = (state: OperationState): boolean =>
  state.signed.some(mayBeSent) || cardSent(state) !== 'no';

/** Failures after which a movement does not go on: what was wrong would be wrong again, or the user said no. */
const ENDINGS: ReadonlySet<string> = new Set([
  'invalid_input',
  'refused_by_review',
  'rejected',
  'payment_failed',
  'not_found',
]);

/** Whether nothing is left to do or to find out about a movement. */
export const isTerminal = (state: OperationState): boolean => {
  const { begun, stage, stop } = state;
  // bursar sends nothing of these itself, so nothing is left to resume.
  if (isStepIntent(begun.intent) || isSigningIntent(begun.intent)) return true;
  if (stage === 'settled' || stage === 'set_aside') return true;
  // That a service gives a payment up says nothing of bytes that it was handed.
  if (stage === 'ended') return state.status !== 'error' || !state.signed.some(({ sent }) => sent === 'maybe');
  if (mayHaveMoved(state)) return false;
  return stop !== undefined && !stop.is_unknown && ENDINGS.has(stop.code);
};

/** Whether nothing of it will be sent again: it is over, or its payer has the code, which is only shown again. */
export const needsNoInputs = (state: OperationState): boolean => isTerminal(state) || state.pix !== undefined;
