import { codeOf, Failure, hasCode, isFailure, messageOf } from '../../core/failure.ts';

/** Throws the error of a read as `unreadable_file`. */
export const orUnreadable = (error: unknown): never => {
  if (isFailure(error)) throw error;
  throw new Failure('unreadable_file', messageOf(error), { cause: error });
};

/** The result of a call to the disk; `undefined` without the path. Throws `unreadable_file` for every other error. */
export const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    return orUnreadable(error);
  }
};

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['its folder does not exist', 'Make the folder first, or choose another path.'],
  ENOTDIR: ['part of the path is a file, not a folder', 'Choose another path.'],
  EACCES: ['you have no permission to write in its folder', 'Choose another path, or change the permissions.'],
  EROFS: ['its file system is read-only', 'Choose another path.'],
  ENOSPC: ['no space left', 'Free some space, or choose another path.'],
};

/** The failure for a path that cannot be written, with the reason and advice. */
export const unwritable = (path: string, error: unknown): Failure => {
  const [reason, hint] = REASONS[codeOf(error)] ?? [messageOf(error), undefined];
  return new Failure('unwritable_file', `${path} cannot be written: ${reason}`, { cause: error, hint });
};
