import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program of this package: the nearest `bin/bursar.js` above this file, which the build may put elsewhere. */
export const programFile = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'bin', 'bursar.js');
    if (existsSync(file) || folder === dirname(folder)) return file;
  }
};
