import { spawnSync } from 'node:child_process';

/** Whether strace is installed. `subject` names the tests that need it. Without strace this prints them; in CI it throws. */
export const hasStrace = (subject = 'the order of sync and send, and failing disks'): boolean => {
  if (spawnSync('strace', ['-V']).status === 0) return true;
  if (process.env['CI']) throw new Error(`CI needs strace for ${subject}: apt-get install strace`);
  process.stderr.write(`Skipped: ${subject}; strace is missing (apt-get install strace).\n`);
  return false;
};

/** The strace command that records the writes and syncs of a program in a file. `more` are further options of strace. */
export const underStrace = (log: string, ...more: readonly string[]): readonly string[] => {
  const calls = 'trace=fsync,fdatasync,write,writev,sendto,pwrite64';
  return ['strace', '-f', '-y', '-s', '400', '-qq', '-e', calls, ...more, '-o', log];
};

/** Whether a line of a trace is about a file of the journal. */
export const isOfJournal = (line: string): boolean => line.includes('/journal/');

export const isSync = (line: string): boolean => /\bf(?:data)?sync\(/.test(line);

/** The lines of a trace where a step of the journal was written, and where it was then synced; -1 if never. */
export const stepIn = (
  lines: readonly string[],
  step: string,
): { readonly written: number; readonly synced: number } => {
  const written = lines.findIndex((line) => isOfJournal(line) && line.includes(`\\"step\\":\\"${step}\\"`));
  const synced = lines.findIndex((line, at) => at > written && isOfJournal(line) && isSync(line));
  return { written, synced };
};

/** Throws if strace is missing. `subject` names the tests that cannot run without it. */
export const assertStrace = (subject: string): void => {
  if (spawnSync('strace', ['-V']).status !== 0)
    throw new Error(`strace is needed for ${subject}: apt-get install strace`);
};
