import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { paymentKey } from '../../journal/keys.ts';
import { readState, statesUnder } from '../../journal/look-up.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { isTerminal } from '../../journal/status.ts';
import { isOperationId } from '../../journal/store.ts';
import type { Argument } from '../command/options.ts';
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

/** The argument for an operation of an area: its own id, or its payment id. */
export const idOf = (area: 'pay' | 'yield'): Argument => ({
  name: 'ID',
  description: 'Id of the operation, or of its payment',
  completes: `${WIRE_ID}s`,
  question: 'Which operation?',
  suggest: async () => (await import('../prompt/suggestions.ts')).suggestOperations(area === 'yield'),
});
