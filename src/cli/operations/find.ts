import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isOperationId } from '../../journal/operation-id.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { readOperation } from '../../journal/read.ts';
import { stateOf } from '../../journal/state.ts';
import { isTerminal } from '../../journal/terminal.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';
import { statesOf } from './rows.ts';

/**
 * The movement of an id, which may be that of its payment: then the newest that is not over, or the newest. Throws `not_found`, and
 * `journal_damaged` for one that is named and cannot be read.
 */
export const findOperation = async (cli: CommandContext, area: OperationArea, id: string): Promise<OperationState> => {
  if (isOperationId(id)) {
    const recorded = await readOperation(cli.io, id);
    const state = recorded && stateOf(recorded);
    if (state && area.isOwn(state.begun.intent)) return state;
  } else {
    let newest: OperationState | undefined;
    for await (const state of statesOf(cli, area)) {
      if (state.payment_id !== id) continue;
      if (!isTerminal(state)) return state;
      newest ??= state;
    }
    if (newest) return newest;
  }
  throw new Failure('not_found', `the journal of this machine has no ${area.noun} ${id}`, {
    next: nextStep('operation.list', area.area),
  });
};
