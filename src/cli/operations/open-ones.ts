import type { Client } from '../../client/call.ts';
import type { Failure } from '../../core/failure.ts';
import { escapeText } from '../../core/text.ts';
import { openStates } from '../../journal/look-up.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { mayHaveMoved, statusOf } from '../../journal/status.ts';
import type { CommandContext } from '../command/command.ts';
import { printsSteps } from '../print/steps.ts';
import type { OperationArea } from './area.ts';
import { resumedInWords } from './in-words.ts';
import { isOfService } from './resume-one.ts';

/** Orders operations: those in doubt first, and those that wait for the payer of a Pix last. */
const rankOf = (state: OperationState): number => {
  if (mayHaveMoved(state)) return 0;
  return state.pix ? 2 : 1;
};

/** Reads the unfinished operations of an area. */
export const openOnes = async (cli: CommandContext, area: OperationArea, client: Client) => {
  const damaged: Failure[] = [];
  const states = await openStates(cli.io, (damage) => void damaged.push(damage));
  const found = states.filter((state) => area.isOwn(state.started.intent)).toReversed();
  const isHere = (state: OperationState) => isOfService(state, client.service);
  const here = found.filter(isHere).toSorted((one, other) => rankOf(one) - rankOf(other));
  const wasDeclined = (state: OperationState) => statusOf(state) === 'declined';
  return {
    /** Operations of the service in use: those in doubt first, then the oldest. */
    open: here.filter((state) => !wasDeclined(state)),
    /** Operations that the user declined. They continue only after a confirmation. */
    declined: here.filter(wasDeclined),
    /** Operations of other services. */
    elsewhere: found.filter((state) => !isHere(state)),
    /** Records that cannot be read. */
    damaged,
  };
};

/** Prints which operation is resumed, before the question for a password. */
export const printResumed = async (cli: CommandContext, state: OperationState): Promise<void> => {
  if (printsSteps(cli)) await cli.say(escapeText(resumedInWords(state, cli.io.clock.now())));
};

/** Prints on a terminal that there is nothing to resume; an empty screen would look like a failure. */
export const printNothingOpen = async (cli: CommandContext, others: number): Promise<void> => {
  if (others === 0 && cli.io.stderr.isTerminal) await cli.say('Nothing is open.');
};

/** Reports the operations of other services, which stay unchanged. Warns if one of them may have moved money. */
export const reportSkipped = async (
  cli: CommandContext,
  { area }: OperationArea,
  leftAlone: readonly OperationState[],
): Promise<void> => {
  const { length: count } = leftAlone;
  if (count === 0) return;
  const way = `bursar ${area} list --open names them, and bursar ${area} resume ID says what each needs`;
  const inDoubt = leftAlone.filter((state) => statusOf(state) === 'in_doubt').length;
  const which = `${count} unfinished of other services or API keys were left alone`;
  if (inDoubt === 0) return cli.say(`note: ${which}; ${way}`);
  await cli.warn(`${which}, ${inDoubt} of them in doubt: money may have moved; ${way}`);
};

/** Reports the operations that the user declined. They are not resumed: `--yes` of a script does not revoke a no. */
export const reportDeclined = async (
  cli: CommandContext,
  { area }: OperationArea,
  declined: readonly OperationState[],
): Promise<void> => {
  for (const { id } of declined)
    await cli.say(`note: ${id} waits for your confirmation, and is left alone: bursar ${area} resume ${id}`);
};
