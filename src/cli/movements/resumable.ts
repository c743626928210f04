import { EXIT } from '../../core/exit-codes.ts';
import { FAILURES, Failure, isFailure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { cardSent } from '../../journal/card-sent.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver } from '../../journal/over.ts';
import { readMovement } from '../../journal/read.ts';
import { stateOf } from '../../journal/state.ts';
import type { MovementArea } from './area.ts';
import { resumeCommand } from './rows.ts';

const stateNow = async (io: Io, id: string): Promise<MovementState | undefined> => {
  const recorded = await readMovement(io, id).catch(() => undefined);
  return recorded && stateOf(recorded);
};

const hashIn = ({ signed }: MovementState): string | undefined => signed.findLast(({ sent }) => sent !== 'no')?.hash;

const whereItStands = (state: MovementState): string => {
  const hash = hashIn(state);
  if (cardSent(state) !== 'no') return 'The card may have been charged.';
  if (state.pix) return `Its Pix can be paid until ${state.pix.expires_at}.`;
  return hash ? `The transaction ${hash} may have been sent.` : 'Nothing was sent that moves money.';
};

/** What an outstanding call may have moved, as the first thing that a reader must know. */
const mayHaveMovedInWords = ({ area }: MovementArea, state: MovementState): string => {
  const { intent } = state.begun;
  const unit = 'currency' in intent ? intent.currency : 'asset' in intent ? intent.asset : undefined;
  const amount = 'amount' in intent && unit ? `${intent.amount} ${unit}` : 'the transaction';
  const how = cardSent(state) === 'no' ? 'sent' : 'charged to the card';
  return `interrupted, and the outcome is not known: ${amount} may have been ${how}. Do not ${area === 'pay' ? 'pay' : 'do it'} again.`;
};

/** The same failure, with how to go on. What an interrupt left outstanding may have moved money, and is no plain one. */
const withWayOn = (io: Io, area: MovementArea, state: MovementState, failure: Failure): Failure => {
  const { code, details } = failure;
  const isOutstanding = code === 'outcome_unknown' && io.interrupted.aborted;
  const isInterrupt = code === 'interrupted' || isOutstanding;
  // What is wrong on this machine is mended first, and a failure may name the command itself.
  const { id: movement, payment_id = null } = state;
  const names = (text: string) => details.next?.includes(text);
  const isSaid = names(' resume ') || names(movement) || (details.next && FAILURES[code] === EXIT.usage);
  return new Failure(code, isOutstanding ? mayHaveMovedInWords(area, state) : failure.message, {
    ...details,
    data: details.data ?? { movement, payment_id, tid_hash: hashIn(state) ?? null },
    hint: details.hint ?? (isInterrupt ? whereItStands(state) : undefined),
    next: isSaid ? details.next : resumeCommand(area, state),
    cause: failure,
  });
};

/** Works on a movement. What stops it on the way names the command that takes it up again, while there is a use in it. */
export const resumable = async <T>(io: Io, area: MovementArea, id: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const state = isFailure(error) ? await stateNow(io, id) : undefined;
    if (!isFailure(error) || !state || isOver(state)) throw error;
    throw withWayOn(io, area, state, error);
  }
};
