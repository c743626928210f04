import type { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID, WIRE_STARTED_AT } from '../../core/wire-names.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { allStates } from '../../journal/overview.ts';
import { isTerminal, wireStatusOf } from '../../journal/status.ts';
import type { DeclaredFields } from '../../output/fields.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';

/** The command that resumes an operation; `undefined` for one that is over. */
export const resumeCommand = ({ area }: OperationArea, state: OperationState): NextStep | undefined =>
  isTerminal(state) ? undefined : nextStep(`${area}.resume`, state.id);

/** The row of an operation in a list. */
export const rowOf = (area: OperationArea, state: OperationState) => {
  const { profile, kind } = state.started;
  const { id, started_at } = state;
  return {
    [WIRE_ID]: id,
    [WIRE_STARTED_AT]: started_at,
    state: wireStatusOf(state),
    ...area.facts(state),
    profile,
    kind,
  };
};

/** The fields of a row. */
export const rowFields = ({ factNames }: OperationArea): DeclaredFields => ({
  names: [WIRE_ID, WIRE_STARTED_AT, 'state', ...factNames, 'profile', 'kind'],
  isOpen: false,
});

/** Reads the operations of an area, the newest first. A record that cannot be read gives a warning. */
export const statesOf = async function* (
  cli: CommandContext,
  { isOwn }: OperationArea,
): AsyncGenerator<OperationState> {
  const warn = ({ message }: Failure) => cli.warn(message);
  for await (const state of allStates(cli.io, warn)) if (isOwn(state.started.intent)) yield state;
};
