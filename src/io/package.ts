import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program of this package: the nearest `bin/bursar.js` above this file, which the build may put elsewhere. */
export const programFile = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'bin', 'bursar.js');
    if (existsSync(file) || folder === dirname(folder)) return file;
  }
};

/** Makes a new folder that only this user can read, in the system's folder for temporary files. */
export const privateFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'bursar-kit-'));

/** Removes a folder with its content, if it exists. A process that ends may still hold a file for a moment. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
