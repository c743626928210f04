import type { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver } from '../../journal/over.ts';
import { allStates } from '../../journal/overview.ts';
import { standingOf } from '../../journal/standing.ts';
import type { DeclaredFields } from '../../output/declared.ts';
import type { Cli } from '../cli.ts';
import type { MovementArea } from './area.ts';

/** The command that finds out about a movement and goes on with it; none where nothing is left to do. */
export const resumeCommand = ({ area }: MovementArea, state: MovementState): NextStep | undefined =>
  isOver(state) ? undefined : nextStep(`${area}.resume`, state.id);

/** A movement as a list shows it. */
export const rowOf = (area: MovementArea, state: MovementState) => {
  const { profile, kind } = state.begun;
  const { id, begun_at } = state;
  return { movement: id, begun_at, state: standingOf(state), ...area.facts(state), profile, kind };
};

/** The fields of such a row. */
export const rowFields = ({ factNames }: MovementArea): DeclaredFields => ({
  names: ['movement', 'begun_at', 'state', ...factNames, 'profile', 'kind'],
  isOpen: false,
});

/** The movements of an area, the newest first. One that cannot be read is warned of, and does not hide the others. */
export const statesOf = async function* (cli: Cli, { isOwn }: MovementArea): AsyncGenerator<MovementState> {
  const warn = ({ message }: Failure) => cli.warn(message);
  for await (const state of allStates(cli.io, warn)) if (isOwn(state.begun.intent)) yield state;
};
