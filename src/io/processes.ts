import { chmod, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../core/error-code.ts';
import { Failure, messageOf } from '../core/failure.ts';
import { systemFiles } from './files.ts';
import type { Io } from './io.ts';
import { livenessOf, nameProcess } from './liveness.ts';
import type { Processes } from './process-name.ts';

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
