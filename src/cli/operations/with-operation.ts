import type { KeyChain } from '../../contract/key-chain.ts';
import { isFailure } from '../../core/failure.ts';
import {
  beginOperation,
  type Operation,
  type OperationStart,
  type ReopenedOperation,
  reopenOperation,
} from '../../journal/operation.ts';
import type { UnlockedKey } from '../../keystore/unlock.ts';
import type { ParsedArgs } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';
import { resumable } from './resumable.ts';
import { withKey } from './signing-key.ts';

/** The first record of an operation, and the context of its work. */
export type Start<C> = { readonly beginning: OperationStart; readonly context: C };

/** An operation that a command starts. */
export type OperationSpec<C, K extends KeyChain> = {
  readonly area: OperationArea;
  /** The key that signs. It is unlocked before anything is recorded. */
  readonly key?: { readonly given: ParsedArgs; readonly name: string; readonly chain: K };
  /** Called when the key is unlocked, before the operation is recorded. */
  readonly start: () => Promise<Start<C>>;
};

/** The work on an operation, with its context and the unlocked key, if any. */
type Work<C, K extends KeyChain, T> = (
  context: C & { readonly operation: Operation },
  key: UnlockedKey<K>,
) => Promise<T>;

/** Runs after the work while the operation is still claimed: prints the result. */
type Finish<C, T> = (result: T, context: C & { readonly operation: Operation }) => Promise<void>;

/**
 * Starts an operation, works on it, and always releases it. A failure of the work names the command that resumes
 * the operation. Throws `journal_unwritable`, and as `withKey`.
 */
export const withOperation = async <C, T, K extends KeyChain = never>(
  cli: CommandContext,
  { area, key, start }: OperationSpec<C, K>,
  work: Work<C, K, T>,
  finish: Finish<C, T> = async () => undefined,
): Promise<T> => {
  const run = async (unlocked: UnlockedKey<K>): Promise<T> => {
    const { beginning, context } = await start();
    const operation = await beginOperation(cli.io, beginning);
    const working = { ...context, operation };
    try {
      const result = await resumable(cli, area, operation, () => work(working, unlocked));
      await finish(result, working);
      return result;
    } finally {
      await operation.close();
    }
  };
  // Without a key the work takes none.
  return key === undefined ? run(undefined as never) : withKey(cli, key.given, key, run);
};

/** Reopens an operation and works on it; `undefined` if another process ended it. Throws as `reopenOperation`. */
export const withReopened = async <T>(
  cli: CommandContext,
  area: OperationArea,
  id: string,
  work: (reopened: ReopenedOperation) => Promise<T>,
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
