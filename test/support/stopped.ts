import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;

/** Waits until a process is stopped by SIGSTOP. */
export const untilStopped = async ({ pid, exitCode }: ChildProcess): Promise<void> => {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end && exitCode === null) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name of the program is in parentheses, and may contain spaces.
    if (text.slice(text.lastIndexOf(')') + 2).startsWith('T')) return;
    if (text === '') break;
    await sleep(20);
  }
  throw new Error('the process did not stop');
};
