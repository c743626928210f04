import { isFailure } from '../../core/failure.ts';
import { movementIds, readMovement } from '../../journal/read.ts';
import { standingOf } from '../../journal/standing.ts';
import { isOver, type MovementState, stateOf } from '../../journal/state.ts';
import type { Cli } from '../cli.ts';
import type { MovementArea } from './area.ts';

/** The command that finds out about a movement and goes on with it; none where nothing is left to do. */
export const resumeCommand = ({ area }: MovementArea, state: MovementState): string | undefined =>
  isOver(state) ? undefined : `bursar ${area} resume ${state.id}`;

/** A movement as a list shows it. */
export const rowOf = (area: MovementArea, state: MovementState) => {
  const { profile, kind } = state.begun;
  const { id, begun_at } = state;
  return { movement: id, begun_at, state: standingOf(state), ...area.facts(state), profile, kind };
};

const readOne = async (cli: Cli, id: string): Promise<MovementState | undefined> => {
  try {
    const recorded = await readMovement(cli.io, id);
    return recorded && stateOf(recorded);
  } catch (error) {
    // One that cannot be read must not hide the others; nothing is sent on the strength of a list.
    if (!isFailure(error, 'journal_damaged')) throw error;
    await cli.say(`warning: ${error.message}`);
    return undefined;
  }
};

/** The movements of an area, the newest first. A damaged one is warned of. */
export const statesOf = async function* (cli: Cli, { isOwn }: MovementArea): AsyncGenerator<MovementState> {
  for (const id of await movementIds(cli.io)) {
    const state = await readOne(cli, id);
    if (state && isOwn(state.begun.intent)) yield state;
  }
};
