import { FAILURES, Failure, type FailureCode } from '../../core/failure.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { standingOf } from '../../journal/standing.ts';
import type { Cli } from '../cli.ts';
import { type MovementArea, tellReceipt } from './area.ts';

type AsEnded = (state: MovementState) => unknown;

const codeOf = ({ stop }: MovementState): FailureCode =>
  stop && Object.hasOwn(FAILURES, stop.code) ? (stop.code as FailureCode) : 'rejected';

/** The receipt of a movement that is over. Throws as it ended, where that was no good end. */
export const overOr = ({ noun }: MovementArea, state: MovementState, asEnded: AsEnded): unknown => {
  const standing = standingOf(state);
  if (standing === 'error') {
    throw new Failure('payment_failed', `the ${noun} ${state.id} ended in error`, { data: asEnded(state) });
  }
  if (standing !== 'refused' && standing !== 'failed') return asEnded(state);
  const how = standing === 'refused' ? 'was refused' : 'failed';
  throw new Failure(codeOf(state), `the ${noun} ${state.id} ${how}, and is not taken up again`, {
    data: asEnded(state),
    hint: 'No money moved by it.',
  });
};

/** To ask twice is safe: the second time tells how it ended. */
export const tellOver = async (cli: Cli, area: MovementArea, state: MovementState, asEnded: AsEnded): Promise<void> =>
  tellReceipt(area, cli.answer, overOr(area, state, asEnded));
