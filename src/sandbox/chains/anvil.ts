import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { messageOf } from '../../core/failure.ts';
import { cannotRun, explainEnd, findAnvil } from './anvil-binary.ts';
import { httpLink, type Link, socketLink } from './rpc.ts';

/**
 * Which programs can connect to a node. `private`: processes that enter the node's network namespace, as the same user or
 * root. `loopback`: every program and web page on this machine that finds its port. A node accepts commands that change
 * balances from every client.
 */
export type Reach = 'private' | 'loopback';

/** A running anvil process. */
export type Anvil = Omit<Awaited<ReturnType<typeof whenListening>>, 'port'> & {
  readonly reach: Reach;
  /** Two ways to it: a slow call on one does not hold up the other. */
  readonly links: readonly [Link, Link];
};

/** What a node starts with: its chain id, and a state as anvil dumps it, in hex. */
export type Begin = {
  readonly chainId: number;
  readonly state?: string | undefined;
  /** The newest blocks whose transactions and receipts the node keeps; all of them without a number. */
  readonly keptBlocks?: number;
  readonly binary?: string;
};

/**
 * No accounts with published keys. No mining but ours, in the order of our calls, so that the chain's history is known.
 * No states of past blocks, in memory or on disk. No limit for large requests.
 */
const FLAGS: readonly string[] = [
  ...['--port', '0', '--accounts', '0', '--no-cors', '--no-mining', '--order', 'fifo', '--prune-history'],
  ...['--no-request-size-limit', '--disable-default-create2-deployer'],
];

/** What both ways to start the program share. `statePath`: the file named in `words` that it begins with. */
type Common = { readonly words: readonly string[]; readonly folder: string; readonly statePath: string | undefined };

/**
 * A network namespace of its own and a Unix socket in a private folder, which is removed once both ways are connected.
 * Nothing outside of that namespace can connect to the node then.
 */
const startPrivate = async ({ words, folder, statePath }: Common): Promise<Anvil> => {
  const socket = join(folder, 'x.ipc');
  const all = [...IN_OWN_NETWORK, ...words, '--host', '127.0.0.1', '--ipc', socket];
  const { pid, ended, stop } = await whenListening(spawnGuarded(all), statePath);
  try {
    const [own, foreign] = await Promise.all([socketLink(socket), socketLink(socket)]);
    // A node that cannot be asked any more ends, and is started again when it is needed next.
    for (const { closed } of [own, foreign]) void closed.then(stop);
    return { pid, ended, stop, reach: 'private', links: [own.link, foreign.link] };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Linux takes each address of 127.0.0.0/8: a page or program that looks for nodes has to find this one as well. */
const loopbackHost = (): string => {
  const part = () => String(randomInt(1, 255));
  return platform() === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1';
};

const startOnLoopback = async ({ words, statePath }: Common): Promise<Anvil> => {
  const host = loopbackHost();
  const all = [...words, '--host', host];
  const child = platform() === 'win32' ? spawnPlain(all) : spawnGuarded(all, {});
  const { pid, port, ended, stop } = await whenListening(child, statePath);
  return { pid, ended, stop, reach: 'loopback', links: [httpLink({ host, port }), httpLink({ host, port })] };
};

/** Where a private network cannot be had, or does not work, the loopback is used. */
const startSomewhere = async (common: Common): Promise<Anvil> => {
  if (platform() !== 'linux') return startOnLoopback(common);
  try {
    return await startPrivate(common);
  } catch {
    return startOnLoopback(common);
  }
};

/** The path of a Unix socket has at most 107 bytes. */
const MAX_PATH = 80;

const privateFolder = (): Promise<string> => {
  const usual = tmpdir();
  return mkdtemp(join(usual.length > MAX_PATH && platform() === 'linux' ? '/tmp' : usual, 'bursar-'));
};

/**
 * anvil reads a state from a file in half the time of a call. Over a Unix socket a call of 20 MB takes 5 s. Throws the
 * error of `gunzip` for bytes that are no state.
 */
const writeState = async (folder: string, state: string): Promise<string> => {
  const path = join(folder, 'state.json');
  await writeFile(path, await promisify(gunzip)(Buffer.from(state.slice(2), 'hex')), { mode: 0o600 });
  return path;
};

/**
 * Starts anvil. Throws `sandbox_unavailable`, saying why and what to do, where it cannot run, and another error for
 * a damaged state.
 */
export const startAnvil = async ({ chainId, state, keptBlocks, binary = findAnvil() }: Begin): Promise<Anvil> => {
  const folder = await privateFolder();
  try {
    const statePath = state === undefined ? undefined : await writeState(folder, state);
    const words = [
      ...[binary, ...FLAGS, '--chain-id', String(chainId)],
      ...(keptBlocks === undefined ? [] : ['--transaction-block-keeper', String(keptBlocks)]),
      ...(statePath ? ['--load-state', statePath] : []),
    ];
    return await startSomewhere({ words, folder, statePath });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * anvil replaces the shell and keeps its process id; `unshare` and `env` pass both on. A subshell waits on a pipe from
 * this process. The system closes the pipe at the end of this process, and then the subshell kills anvil. A line on the
 * pipe means that anvil ended first.
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
    const late = () => reject(cannotRun('anvil did not listen within 20 s', 'Try again; the machine may be busy.'));
    const timer = setTimeout(late, START_MS);
    let [stdout, stderr] = ['', ''];
    const take = (chunk: string) => {
      stdout += chunk;
      const port = /^Listening on \S+:(\d+)$/m.exec(stdout)?.[1];
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

/**
 * Resolves when anvil listens. `stop` ends it at once, and resolves when it is gone. Throws `sandbox_unavailable` where it cannot run, and a plain error for a
 * state that it does not take.
 */
const whenListening = async (child: ChildProcess, statePath: string | undefined) => {
  const ended = watchEnd(child);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const port = await listening(child, statePath);
    return { pid: child.pid ?? 0, port, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
