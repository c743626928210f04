import type { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { isTerminal, wireStatusOf } from '../../journal/status.ts';
import type { DeclaredFields } from '../../output/fields.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';

/** The command that finds out about an operation and goes on with it; none where nothing is left to do. */
export const resumeCommand = ({ area }: OperationArea, state: OperationState): NextStep | undefined =>
  isTerminal(state) ? undefined : nextStep(`${area}.resume`, state.id);

/** An operation as a list shows it. */
export const rowOf = (area: OperationArea, state: OperationState) => {
  const { profile, kind } = state.started;
  const { id, started_at } = state;
  return { movement: id, started_at, state: wireStatusOf(state), ...area.facts(state), profile, kind };
};

/** The fields of such a row. */
export const rowFields = ({ factNames }: OperationArea): DeclaredFields => ({
  names: ['movement', 'begun_at', 'state', ...factNames, 'profile', 'kind'],
  isOpen: false,
});

/** The operations of an area, the newest first. One that cannot be read is warned of, and does not hide the others. */
export const statesOf = async function* (
  cli: CommandContext,
  { isOwn }: OperationArea,
): AsyncGenerator<OperationState> {
  const warn = ({ message }: Failure) => cli.warn(message);
  for await (const state of allStates(cli.io, warn)) if (isOwn(state.started.intent)) yield state;
};
