import { spawnSync } from 'node:child_process';

/** Whether this machine can watch the calls of a program to its kernel. `what` needs that. */
export const hasStrace = (what = 'the order of sync and send, and failing disks'): boolean => {
  if (spawnSync('strace', ['-V']).status === 0) return true;
  if (process.env['CI']) throw new Error(`CI needs strace for ${what}: apt-get install strace`);
  process.stderr.write(`Left out: ${what}; strace is missing (apt-get install strace).\n`);
  return false;
};

/** What runs a program so that its writes and syncs are noted in a file, in their order; `more` is for strace itself. */
export const underStrace = (log: string, ...more: readonly string[]): readonly string[] => {
  const calls = 'trace=fsync,fdatasync,write,writev,sendto,pwrite64';
  return ['strace', '-f', '-y', '-s', '400', '-qq', '-e', calls, ...more, '-o', log];
};

export const isOfJournal = (line: string): boolean => line.includes('/journal/');

export const isSync = (line: string): boolean => /\bf(?:data)?sync\(/.test(line);

/** In lines of a trace, where a step of the journal was written, and where it was synced after that; -1 for never. */
export const stepIn = (
  lines: readonly string[],
  step: string,
): { readonly written: number; readonly synced: number } => {
  const written = lines.findIndex((line) => isOfJournal(line) && line.includes(`\\"step\\":\\"${step}\\"`));
  const synced = lines.findIndex((line, at) => at > written && isOfJournal(line) && isSync(line));
  return { written, synced };
};

/** Throws where strace is missing: for tests that are nothing without it. */
export const assertStrace = (what: string): void => {
  if (spawnSync('strace', ['-V']).status !== 0) throw new Error(`strace is needed for ${what}: apt-get install strace`);
};
