import { isFailure } from '../../core/failure.ts';
import { type Reopened, reopenOperation } from '../../journal/operation.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';
import { resumable } from './resumable.ts';

/** Takes a movement up again and works on it; `undefined` for one that another process has ended meanwhile. Throws as `reopenMovement`. */
export const withReopened = async <T>(
  cli: CommandContext,
  area: OperationArea,
  id: string,
  work: (reopened: Reopened) => Promise<T>,
): Promise<T | undefined> => {
  const reopened = await reopenOperation(cli.io, id).catch((error: unknown) => {
    if (isFailure(error, 'rejected')) return undefined;
    throw error;
  });
  if (reopened === undefined) return undefined;
  const { operation } = reopened;
  try {
    return await resumable(cli, area, operation, () => work(reopened));
  } finally {
    await operation.close();
  }
};
