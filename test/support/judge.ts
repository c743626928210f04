import { spawnSync } from 'node:child_process';

/**
 * Whether a program is on this machine. Without it this prints how to install it, and the caller skips its tests. In CI it
 * throws instead, because CI skips no test.
 */
export const hasProgram = (program: string, packageName = program): boolean => {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return true;
  const message = `these tests need ${program} (apt-get install ${packageName})`;
  if (process.env['CI']) throw new Error(`CI: ${message}`);
  process.stderr.write(`Skipped: ${message}.\n`);
  return false;
};
