import type { Client } from '../../client/call.ts';
import { escapeText } from '../../core/escape.ts';
import type { Failure } from '../../core/failure.ts';
import { openStates } from '../../journal/look-up.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { mayHaveMoved, statusOf } from '../../journal/status.ts';
import type { CommandContext } from '../context/context.ts';
import { printsSteps } from '../print/steps.ts';
import type { OperationArea } from './area.ts';
import { takenUp } from './in-words.ts';
import { isOfService } from './same-service.ts';

/** What is not finished, what is in doubt first, otherwise the oldest, and what could not be looked at. */
export type Open = {
  readonly open: readonly OperationState[];
  /** Those to which a person said no: they go on when a person says so. */
  readonly declined: readonly OperationState[];
  readonly elsewhere: readonly OperationState[];
  readonly damaged: readonly Failure[];
};

/** What is in doubt is looked at first, and last what waits for somebody else. */
const rankOf = (state: OperationState): number => {
  if (mayHaveMoved(state)) return 0;
  return state.pix ? 2 : 1;
};

/** The unfinished operations of an area, those that are not of this service apart. */
export const openOnes = async (cli: CommandContext, area: OperationArea, client: Client): Promise<Open> => {
  const damaged: Failure[] = [];
  const states = await openStates(cli.io, (damage) => void damaged.push(damage));
  const found = states.filter((state) => area.isOwn(state.started.intent)).toReversed();
  const isHere = (state: OperationState) => isOfService(state, client.service);
  const here = found.filter(isHere).toSorted((one, other) => rankOf(one) - rankOf(other));
  const wasDeclined = (state: OperationState) => statusOf(state) === 'declined';
  return {
    open: here.filter((state) => !wasDeclined(state)),
    declined: here.filter(wasDeclined),
    elsewhere: found.filter((state) => !isHere(state)),
    damaged,
  };
};

/** Whoever is asked for a password wants to know what for. */
export const sayTakenUp = async (cli: CommandContext, state: OperationState): Promise<void> => {
  if (printsSteps(cli)) await cli.say(escapeText(takenUp(state, cli.io.clock.now())));
};

/** A person who sees nothing at all does not know whether it worked. */
export const sayNothingOpen = async (cli: CommandContext, others: number): Promise<void> => {
  if (others === 0 && cli.io.stderr.isTerminal) await cli.say('Nothing is open.');
};

/** What is not of this service is not touched, and said; of money in doubt whoever resumes all must hear each time. */
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

/** What a person said no to is nothing that is taken up unasked: `--yes` of a script is not that person's. */
export const reportDeclined = async (
  cli: CommandContext,
  { area }: OperationArea,
  declined: readonly OperationState[],
): Promise<void> => {
  for (const { id } of declined)
    await cli.say(`note: ${id} waits for your confirmation, and is left alone: bursar ${area} resume ${id}`);
};
