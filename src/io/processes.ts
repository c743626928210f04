import { chmod, type FileHandle, open, readFile, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, hasCode, messageOf } from '../core/failure.ts';
import { systemFiles } from './files.ts';
import type { Io } from './io.ts';
import type { Liveness, Processes, ProcessName } from './process-name.ts';

type Self = {
  readonly pid: number;
  readonly host: string;
  readonly node: string;
  readonly program: string;
  readonly env: Io['env'];
};

const signal = (pid: number, name: NodeJS.Signals | 0, kill: typeof process.kill): boolean => {
  try {
    return kill(pid, name);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

/** What a background process needs of the environment; secrets of the shell that started it are none of its business. */
const PASSED_ON =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|BURSAR_HOME|XDG_\w+|SYSTEMROOT|APPDATA|LOCALAPPDATA|USERPROFILE|COMSPEC|PATHEXT|NODE_EXTRA_CA_CERTS)$/i;

const withoutSecrets = (env: Io['env']): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_ON.test(name)));

/** Throws `unwritable_file`: without a home there is nothing to start in. */
const openLog = async (log: string): Promise<FileHandle> => {
  try {
    await systemFiles.makePrivateFolder(dirname(log));
    return await open(log, 'a', 0o600);
  } catch (error) {
    throw new Failure('unwritable_file', `${log} cannot be written: ${messageOf(error)}`, { cause: error });
  }
};

/** Processes of this machine; `self` is how this program was started. */
export const systemProcesses = (self: Self, kill: typeof process.kill): Processes => ({
  pid: self.pid,
  self: () => nameProcess(self.pid, self.host),
  liveness: async (process) =>
    livenessOf(process, await nameProcess(self.pid, self.host), (pid) => signal(pid, 0, kill)),
  isRunning: (pid) => signal(pid, 0, kill),
  terminate: (pid) => signal(pid, 'SIGTERM', kill),
  startSelf: async (args, log) => {
    const { spawn } = await import('node:child_process');
    const file = await openLog(log);
    await chmod(log, 0o600);
    try {
      const child = spawn(self.node, [self.program, ...args], {
        detached: true,
        stdio: ['ignore', file.fd, file.fd],
        env: withoutSecrets(self.env),
        cwd: dirname(log),
      });
      const failed = new Promise<never>((_, reject) => child.once('error', reject));
      const started = new Promise<void>((resolve) => child.once('spawn', resolve));
      await Promise.race([started, failed]);
      child.unref();
      if (child.pid === undefined) throw new Failure('internal', 'the background process has no id');
      return child.pid;
    } finally {
      await file.close();
    }
  },
});

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
const nameProcess = async (pid: number, host: string): Promise<ProcessName> => {
  const [boot, space, started] = await Promise.all([
    readText('/proc/sys/kernel/random/boot_id'),
    spaceOf(),
    startOf(pid),
  ]);
  return { pid, host, ...(boot && { boot }), ...(space && { space }), ...(started && { started }) };
};

/** Whether a process still runs; what cannot be seen from here is `unknown`. */
const livenessOf = async (
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
