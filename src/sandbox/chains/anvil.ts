import { type ChildProcess, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { messageOf } from '../../core/failure.ts';
import { cannotRun, explainEnd, findAnvil } from './anvil-binary.ts';

/** A running anvil process. */
export type Anvil = {
  readonly pid: number;
  /** Where it listens, on 127.0.0.1. */
  readonly port: number;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it at once: it keeps nothing on disk. Resolves when it is gone. */
  readonly stop: () => Promise<void>;
};

/**
 * No accounts with published keys; no mining but ours, in the order in which we send, so that the chain's history is
 * one that we know; no states of past blocks, in memory or on disk; no limit for loading a saved state.
 */
const flags = (chainId: number): readonly string[] => [
  ...['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId), '--accounts', '0', '--no-cors'],
  ...[
    '--no-mining',
    '--order',
    'fifo',
    '--prune-history',
    '--no-request-size-limit',
    '--disable-default-create2-deployer',
  ],
];

/**
 * anvil takes the shell's place, and its process id. What stays of the shell waits on a pipe from us: the system
 * closes it when we end, however we end, and then anvil is killed. A line instead says that anvil ended first.
 */
const GUARD = '( read -r line <&3 || kill -9 $$ ) >/dev/null 2>&1 & exec "$@" 3<&-';

const spawnGuarded = (binary: string, words: readonly string[]): ChildProcess =>
  // Detached: Ctrl-C in a terminal is for the server, which ends its nodes itself.
  spawn('/bin/sh', ['-c', GUARD, 'sh', binary, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: {},
  });

/** Windows has no such shell: there an anvil outlives a server that was killed, until it is ended by hand. */
const spawnPlain = (binary: string, words: readonly string[]): ChildProcess =>
  spawn(binary, words, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });

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
const listening = (child: ChildProcess): Promise<number> =>
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
      reject(explainEnd(why));
    };
    child.once('error', (error) => fail(messageOf(error)));
    child.once('close', () => fail(stderr));
  });

/** Starts anvil for a chain id. Throws `sandbox_unavailable`, saying why and what to do, where it cannot run. */
export const startAnvil = async (chainId: number, binary: string = findAnvil()): Promise<Anvil> => {
  const child = (platform() === 'win32' ? spawnPlain : spawnGuarded)(binary, flags(chainId));
  const ended = watchEnd(child);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const port = await listening(child);
    return { pid: child.pid ?? 0, port, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
