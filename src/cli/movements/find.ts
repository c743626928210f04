import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isMovementId } from '../../journal/movement-id.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver } from '../../journal/over.ts';
import { readMovement } from '../../journal/read.ts';
import { stateOf } from '../../journal/state.ts';
import type { Cli } from '../cli.ts';
import type { MovementArea } from './area.ts';
import { statesOf } from './rows.ts';

/**
 * The movement of an id, which may be that of its payment: then the newest that is not over, or the newest. Throws `not_found`, and
 * `journal_damaged` for one that is named and cannot be read.
 */
export const findMovement = async (cli: Cli, area: MovementArea, id: string): Promise<MovementState> => {
  if (isMovementId(id)) {
    const recorded = await readMovement(cli.io, id);
    const state = recorded && stateOf(recorded);
    if (state && area.isOwn(state.begun.intent)) return state;
  } else {
    let newest: MovementState | undefined;
    for await (const state of statesOf(cli, area)) {
      if (state.payment_id !== id) continue;
      if (!isOver(state)) return state;
      newest ??= state;
    }
    if (newest) return newest;
  }
  throw new Failure('not_found', `the journal of this machine has no ${area.noun} ${id}`, {
    next: nextStep('operation.list', area.area),
  });
};
