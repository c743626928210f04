import { readFile, readlink } from 'node:fs/promises';
import type { Liveness, ProcessName } from './process-name.ts';

const readText = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, 'latin1')).trim();
  } catch {
    return undefined;
  }
};

const OVER = /^[ZX]$/;

/**
 * When a process began, in ticks since the machine did (Linux: proc_pid_stat(5), field 22); `undefined` where no such
 * process runs. Its name, which stands in brackets before, may hold anything.
 */
const startOf = async (pid: number): Promise<string | undefined> => {
  const stat = await readText(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && !OVER.test(fields[0] ?? '') ? fields[19] : undefined;
};

const spaceOf = async (): Promise<string | undefined> => {
  try {
    return await readlink('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
};

/**
 * The name of this process. On Linux it says which boot, which container and which of the processes that had this
 * number; elsewhere the number alone must do.
 */
export const nameProcess = async (pid: number, host: string): Promise<ProcessName> => {
  const [boot, space, started] = await Promise.all([
    readText('/proc/sys/kernel/random/boot_id'),
    spaceOf(),
    startOf(pid),
  ]);
  return { pid, host, ...(boot && { boot }), ...(space && { space }), ...(started && { started }) };
};

/** Whether a process still runs; what cannot be seen from here is `unknown`. */
export const livenessOf = async (
  { pid, host, boot, space, started }: ProcessName,
  own: ProcessName,
  isRunning: (pid: number) => boolean,
): Promise<Liveness> => {
  if (host !== own.host) return 'unknown';
  if (boot !== own.boot) return 'dead';
  if (space !== own.space) return 'unknown';
  if (started === undefined) return isRunning(pid) ? 'alive' : 'dead';
  return (await startOf(pid)) === started ? 'alive' : 'dead';
};
