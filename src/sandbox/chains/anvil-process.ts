import { type ChildProcess, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { messageOf } from '../../core/failure.ts';
import { cannotRun, explainEnd } from './anvil-binary.ts';

/** How a process is started. `statePath`: the file named in `words` that it begins with. */
export type Start = {
  readonly words: readonly string[];
  readonly hasOwnNetwork: boolean;
  readonly statePath: string | undefined;
};

/**
 * anvil takes the shell's place, and its process id; `unshare` and `env` before it pass both on. What stays of the
 * shell waits on a pipe from us: the system closes it when we end, however we end, and then anvil is killed. A line
 * instead says that anvil ended first.
 */
const GUARD = '( read -r line <&3 || kill -9 $$ ) >/dev/null 2>&1 & exec "$@" 3<&-';

const spawnGuarded = (words: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess =>
  // Detached: Ctrl-C in a terminal is for the server, which ends its nodes itself.
  spawn('/bin/sh', ['-c', GUARD, 'sh', ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(env && { env }),
  });

/** Windows has no such shell: there an anvil outlives a server that was killed, until it is ended by hand. */
const spawnPlain = ([binary = '', ...words]: readonly string[]): ChildProcess =>
  spawn(binary, words, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, env: {} });

/** In a network of its own: user_namespaces(7). The shell finds `unshare` by its PATH; the node gets no variables. */
const IN_OWN_NETWORK = ['unshare', '-r', '-n', 'env', '-i'];

const spawnNode = ({ words, hasOwnNetwork }: Start): ChildProcess => {
  if (hasOwnNetwork) return spawnGuarded([...IN_OWN_NETWORK, ...words]);
  return platform() === 'win32' ? spawnPlain(words) : spawnGuarded(words, {});
};

const START_MS = 20_000;

const watchEnd = (child: ChildProcess): Promise<void> => {
  const guard = child.stdio[3];
  guard?.on('error', () => undefined);
  return new Promise((resolve) => {
    const end = () => {
      if (guard && 'write' in guard) guard.end('\n');
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
};

/** Resolves with the port. What anvil prints later is read and dropped, or it would block on a full pipe. */
const listening = (child: ChildProcess, statePath: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(cannotRun('anvil did not listen within 20 s', 'Try again; the machine may be busy.')),
      START_MS,
    );
    let [said, stderr] = ['', ''];
    const take = (chunk: string) => {
      said += chunk;
      const port = /^Listening on \S+:(\d+)$/m.exec(said)?.[1];
      if (port === undefined) return;
      child.stdout?.off('data', take).resume();
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-2000);
    });
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(statePath && why.includes('--load-state') ? new Error(why.split('\n')[0]) : explainEnd(why));
    };
    child.once('error', (error) => fail(messageOf(error)));
    child.once('close', () => fail(stderr));
  });

/** A process that listens on its loopback. `stop` ends it at once, and resolves when it is gone. */
export type NodeProcess = {
  readonly pid: number;
  readonly port: number;
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts anvil and resolves when it listens. Throws `sandbox_unavailable` where it cannot run, and a plain error for a
 * state that it does not take.
 */
export const startProcess = async (start: Start): Promise<NodeProcess> => {
  const child = spawnNode(start);
  const ended = watchEnd(child);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const port = await listening(child, start.statePath);
    return { pid: child.pid ?? 0, port, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
