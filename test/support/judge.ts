import { spawnSync } from 'node:child_process';

/**
 * Whether a program that judges is on this machine. Where it lacks its tests say so and are left out; in CI that is a
 * failure, because there nothing may be left out.
 */
export const hasProgram = (program: string, packageName = program): boolean => {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return true;
  const said = `these tests need ${program} (apt-get install ${packageName})`;
  if (process.env['CI']) throw new Error(`CI: ${said}`);
  process.stderr.write(`Left out: ${said}.\n`);
  return false;
};
