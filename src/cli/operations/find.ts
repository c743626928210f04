import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { paymentKey } from '../../journal/keys.ts';
import { readState, statesUnder } from '../../journal/look-up.ts';
import { isOperationId } from '../../journal/operation-id.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isTerminal } from '../../journal/status.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';

/**
 * Finds an operation by its own id or by its payment id. Of several operations of a payment it takes the newest
 * unfinished one, or else the newest. Throws `not_found`, and `journal_damaged` for a record that cannot be read.
 */
export const findOperation = async (cli: CommandContext, area: OperationArea, id: string): Promise<OperationState> => {
  if (isOperationId(id)) {
    const state = await readState(cli.io, id);
    if (state && area.isOwn(state.started.intent)) return state;
  } else {
    let newest: OperationState | undefined;
    const warn = ({ message }: Failure) => cli.warn(message);
    for await (const state of statesUnder(cli.io, [paymentKey(id)], warn)) {
      if (state.payment_id !== id || !area.isOwn(state.started.intent)) continue;
      if (!isTerminal(state)) return state;
      newest ??= state;
    }
    if (newest) return newest;
  }
  throw new Failure('not_found', `the journal of this machine has no ${area.noun} ${id}`, {
    next: nextStep('operation.list', area.area),
  });
};
