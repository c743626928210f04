import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROGRAM } from './bursar.ts';

/** Whether a shell is installed. Without it this prints how to install it; in CI it throws. */
export const hasShell = (shell: 'bash' | 'zsh' | 'fish'): boolean => {
  if (spawnSync(shell, ['-c', 'exit']).status === 0) return true;
  if (process.env['CI']) throw new Error(`CI needs ${shell} for the tests of completion: apt-get install ${shell}`);
  process.stderr.write(`Skipped: the tests of completion in ${shell} need it (apt-get install ${shell}).\n`);
  return false;
};

/** Makes a folder for PATH in which `bursar` is the built program. */
export const folderWithProgram = async (home: string): Promise<string> => {
  const folder = join(home, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'bursar'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  await chmod(join(folder, 'bursar'), 0o755);
  return folder;
};
