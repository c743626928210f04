import type { Client } from '../../client/call.ts';
import { escapeText } from '../../core/escape.ts';
import type { Failure } from '../../core/failure.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver, mayHaveMoved } from '../../journal/over.ts';
import { allStates } from '../../journal/overview.ts';
import { standingOf } from '../../journal/standing.ts';
import type { Cli } from '../cli.ts';
import { tellsSteps } from '../steps.ts';
import type { MovementArea } from './area.ts';
import { takenUp } from './in-words.ts';
import { isOfService } from './same-service.ts';

/** What is not finished, what is in doubt first, otherwise the oldest, and what could not be looked at. */
export type Open = {
  readonly open: readonly MovementState[];
  /** Those to which a person said no: they go on when a person says so. */
  readonly declined: readonly MovementState[];
  readonly elsewhere: readonly MovementState[];
  readonly damaged: readonly Failure[];
};

/** What is in doubt is looked at first, and last what waits for somebody else. */
const rankOf = (state: MovementState): number => {
  if (mayHaveMoved(state)) return 0;
  return state.pix ? 2 : 1;
};

/** The unfinished movements of an area, those that are not of this service apart. */
export const openOnes = async (cli: Cli, area: MovementArea, client: Client): Promise<Open> => {
  const damaged: Failure[] = [];
  const found: MovementState[] = [];
  const isOpen = (state: MovementState) => area.isOwn(state.begun.intent) && !isOver(state);
  for await (const state of allStates(cli.io, (damage) => void damaged.push(damage))) {
    if (isOpen(state)) found.unshift(state);
  }
  const isHere = (state: MovementState) => isOfService(state, client.service);
  const here = found.filter(isHere).toSorted((one, other) => rankOf(one) - rankOf(other));
  const wasDeclined = (state: MovementState) => standingOf(state) === 'declined';
  return {
    open: here.filter((state) => !wasDeclined(state)),
    declined: here.filter(wasDeclined),
    elsewhere: found.filter((state) => !isHere(state)),
    damaged,
  };
};

/** Whoever is asked for a password wants to know what for. */
export const sayTakenUp = async (cli: Cli, state: MovementState): Promise<void> => {
  if (tellsSteps(cli)) await cli.say(escapeText(takenUp(state, cli.io.clock.now())));
};

/** A person who sees nothing at all does not know whether it worked. */
export const sayNothingOpen = async (cli: Cli, others: number): Promise<void> => {
  if (others === 0 && cli.io.stderr.isTerminal) await cli.say('Nothing is open.');
};

/** What is not of this service is not touched, and said; of money in doubt whoever resumes all must hear each time. */
export const tellLeftAlone = async (
  cli: Cli,
  { area }: MovementArea,
  leftAlone: readonly MovementState[],
): Promise<void> => {
  const { length: count } = leftAlone;
  if (count === 0) return;
  const way = `bursar ${area} list --open names them, and bursar ${area} resume ID says what each needs`;
  const inDoubt = leftAlone.filter((state) => standingOf(state) === 'in_doubt').length;
  const which = `${count} unfinished of other services or API keys were left alone`;
  if (inDoubt === 0) return cli.say(`note: ${which}; ${way}`);
  await cli.warn(`${which}, ${inDoubt} of them in doubt: money may have moved; ${way}`);
};

/** What a person said no to is nothing that is taken up unasked: `--yes` of a script is not that person's. */
export const tellDeclined = async (
  cli: Cli,
  { area }: MovementArea,
  declined: readonly MovementState[],
): Promise<void> => {
  for (const { id } of declined)
    await cli.say(`note: ${id} waits for your confirmation, and is left alone: bursar ${area} resume ${id}`);
};
