import { join } from 'node:path';
import type { Io } from '../../io/io.ts';

/** A path as a person types it where no shell reads it: a `~/` before it is their home. */
export const typedPath = ({ env }: Pick<Io, 'env'>, typed: string): string => {
  const path = typed.trim();
  const home = env['HOME'] || env['USERPROFILE'];
  return home && path.startsWith('~/') ? join(home, path.slice(2)) : path;
};

/** What is wrong with a path that is to be read. */
export const problemInFile = async ({ files }: Pick<Io, 'files'>, path: string): Promise<string | undefined> => {
  const facts = await files.targetFacts(path);
  if (!facts) return 'there is no such file';
  return facts.isFolder ? 'that is a folder' : undefined;
};
