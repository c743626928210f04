import { isFailure } from '../../core/failure.ts';
import { type Reopened, reopenMovement } from '../../journal/movement.ts';
import type { Cli } from '../cli.ts';
import type { MovementArea } from './area.ts';
import { resumable } from './resumable.ts';

/** Takes a movement up again and works on it; `undefined` for one that another process has ended meanwhile. Throws as `reopenMovement`. */
export const withReopened = async <T>(
  cli: Cli,
  area: MovementArea,
  id: string,
  work: (reopened: Reopened) => Promise<T>,
): Promise<T | undefined> => {
  const reopened = await reopenMovement(cli.io, id).catch((error: unknown) => {
    if (isFailure(error, 'rejected')) return undefined;
    throw error;
  });
  if (reopened === undefined) return undefined;
  const { movement } = reopened;
  try {
    return await resumable(cli, area, movement, () => work(reopened));
  } finally {
    await movement.close();
  }
};
