import { cardSent } from './card-sent.ts';
import { isSigningIntent, isStepIntent } from './intents.ts';
import type { OperationState } from './operation-state.ts';
import { isTerminal } from './terminal.ts';

/** What it waits for, by what stopped it. */
const WAITS_FOR: Readonly<Record<string, string>> = { identity_gate: 'needs_identity', declined: 'declined' };

/**
 * Where a movement stands, in one word:
 * - a final state of the service (`success`, `error`); of a yield operation `settled`, or `set_aside` by a person;
 * - `sent`: its transaction or card was taken, and the end is not known yet;
 * - `in_doubt`: its transaction or card may have been sent;
 * - `payable`: its payer has the code of a Pix;
 * - `needs_identity`: the service asks for its payer's identity, and nothing was sent; it goes on when that is given;
 * - `declined`: a person said no to what the review showed; nothing was sent, and it goes on when a person says so;
 * - `unfinished`: nothing was sent that moves money, and it can go on;
 * - `refused` by the review, `failed` for good: nothing moved;
 * - `registered`, `created`: a step of a payment that is taken step by step; nothing moved by it;
 * - `signed`: only a signature was asked for; whoever has the signed bytes can send them.
 */
export const statusOf = (state: OperationState): string => {
  const { stop, signed, status, stage } = state;
  if (status !== undefined && isTerminal(state)) return status;
  const sent = [...signed.map((part) => part.sent), isTerminal(state) ? 'no' : cardSent(state)];
  if (sent.includes('maybe')) return 'in_doubt';
  if (sent.includes('yes')) return 'sent';
  if (!isTerminal(state) && state.pix) return 'payable';
  if (!isTerminal(state)) return WAITS_FOR[stop?.code ?? ''] ?? 'unfinished';
  if (isStepIntent(state.begun.intent) && ['registered', 'created'].includes(stage)) return stage;
  if (isSigningIntent(state.begun.intent) && signed.length > 0) return 'signed';
  return stop?.code === 'refused_by_review' ? 'refused' : 'failed';
};
