import { promises as files } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, hasCode, messageOf } from '../core/failure.ts';
import { once } from '../core/once.ts';
import type { Environment } from '../core/screen.ts';
import { systemFiles } from './files/files.ts';

/** Identifies one process; a later process with the same number has another name. Unknown parts are left out. */
export type ProcessName = {
  readonly pid: number;
  readonly host: string;
  /** The boot of the machine. */
  readonly boot?: string | undefined;
  /** The PID namespace, which differs between containers. */
  readonly space?: string | undefined;
  readonly started?: string | undefined;
};

/** `unknown`: the process belongs to another machine or container. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** This process, and other processes of this machine. */
export type Processes = {
  readonly pid: number;
  /** The name of this process. */
  readonly self: () => Promise<ProcessName>;
  /** Whether a process still runs; a stopped process (SIGSTOP) is alive. */
  readonly liveness: (process: ProcessName) => Promise<Liveness>;
  /** Whether any process has this number. */
  readonly isRunning: (pid: number) => boolean;
  /** Sends SIGTERM. Returns `false` without such a process. */
  readonly terminate: (pid: number) => boolean;
  /**
   * Starts bursar again in the background, and returns its pid. Appends its output to a private log. `env` replaces the
   * environment of this process. Throws `unwritable_file`.
   */
  readonly startSelf: (args: readonly string[], log: string, env?: Environment) => Promise<number>;
};

/** How this program was started. */
type Self = {
  readonly pid: number;
  readonly host: string;
  readonly node: string;
  readonly program: string;
  readonly env: Environment;
};

const signal = (pid: number, name: NodeJS.Signals | 0, kill: typeof process.kill): boolean => {
  try {
    return kill(pid, name);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

/** Variables for a background process. It must not get the secrets of the shell. */
export const PASSED_VARIABLES =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|BURSAR_HOME|XDG_\w+|SYSTEMROOT|APPDATA|LOCALAPPDATA|USERPROFILE|COMSPEC|PATHEXT|NODE_EXTRA_CA_CERTS)$/i;

const openLog = async (log: string): Promise<FileHandle> => {
  try {
    await systemFiles.makePrivateFolder(dirname(log));
    return await files.open(log, 'a', 0o600);
  } catch (error) {
    throw new Failure('unwritable_file', `${log} cannot be written: ${messageOf(error)}`, { cause: error });
  }
};

export const systemProcesses = (self: Self, kill: typeof process.kill): Processes => {
  // The name of a process never changes.
  const nameSelf = once(() => nameProcess(self.pid, self.host));
  return { ...processesBeside(self, kill, nameSelf), self: nameSelf };
};

const processesBeside = (
  self: Self,
  kill: typeof process.kill,
  nameSelf: Processes['self'],
): Omit<Processes, 'self'> => ({
  pid: self.pid,
  liveness: async (process) => livenessOf(process, await nameSelf(), (pid) => signal(pid, 0, kill)),
  isRunning: (pid) => signal(pid, 0, kill),
  terminate: (pid) => signal(pid, 'SIGTERM', kill),
  startSelf: async (args, log, given = self.env) => {
    const { spawn } = await import('node:child_process');
    const file = await openLog(log);
    await files.chmod(log, 0o600);
    const env = Object.fromEntries(Object.entries(given).filter(([name]) => PASSED_VARIABLES.test(name)));
    try {
      const child = spawn(self.node, [self.program, ...args], {
        detached: true,
        stdio: ['ignore', file.fd, file.fd],
        env,
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

const readText = (path: string): Promise<string | undefined> =>
  files.readFile(path, 'latin1').then(
    (text) => text.trim(),
    () => undefined,
  );

/** The states of an ended process: zombie and dead. */
const ENDED = /^[ZX]$/;

/**
 * The start of a process in ticks since the boot (Linux: proc_pid_stat(5), field 22); `undefined` without the process.
 * The name of the program, in brackets before the fields, may contain anything.
 */
const readStart = async (pid: number): Promise<string | undefined> => {
  const stat = await readText(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && !ENDED.test(fields[0] ?? '') ? fields[19] : undefined;
};

/** On Linux the name has the boot, the container and the start time; other systems have only the number and the host. */
const nameProcess = async (pid: number, host: string): Promise<ProcessName> => {
  const [boot, space, started] = await Promise.all([
    readText('/proc/sys/kernel/random/boot_id'),
    files.readlink('/proc/self/ns/pid').catch(() => undefined),
    readStart(pid),
  ]);
  return { pid, host, ...(boot && { boot }), ...(space && { space }), ...(started && { started }) };
};

const livenessOf = async (
  { pid, host, boot, space, started }: ProcessName,
  own: ProcessName,
  isRunning: (pid: number) => boolean,
): Promise<Liveness> => {
  if (host !== own.host) return 'unknown';
  if (boot !== own.boot) return 'dead';
  if (space !== own.space) return 'unknown';
  if (started === undefined) return isRunning(pid) ? 'alive' : 'dead';
  return (await readStart(pid)) === started ? 'alive' : 'dead';
};
