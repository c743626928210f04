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
 * The programs that can connect to a node. `private`: only processes of the same user or root, through the node's network
 * namespace. `loopback`: every program and web page on this machine that finds its port. A node accepts commands that
 * change balances from every client.
 */
export type Reach = 'private' | 'loopback';

/** A running anvil process. */
export type Anvil = Omit<Awaited<ReturnType<typeof whenListening>>, 'port'> & {
  readonly reach: Reach;
  /** Two connections to the node: a slow call on one does not delay the other. */
  readonly links: readonly [Link, Link];
};

/** The settings of a new node. `state` is a dump of anvil, in hex. */
export type NodeSettings = {
  readonly chainId: number;
  readonly state?: string | undefined;
  /** How many of the newest blocks keep their transactions and receipts in the node; all if omitted. */
  readonly keptBlocks?: number;
  /** The path of anvil's binary; the installed one if omitted. */
  readonly binary?: string;
};

/**
 * No accounts with published keys. Only the sandbox starts the mining of a block, and transactions keep the order of its
 * calls. So a replay gives the same chain. anvil stores no states of past blocks. Large requests are allowed.
 */
const FLAGS: readonly string[] = [
  ...['--port', '0', '--accounts', '0', '--no-cors', '--no-mining', '--order', 'fifo', '--prune-history'],
  ...['--no-request-size-limit', '--disable-default-create2-deployer'],
];

/** The common settings of both ways to start anvil. `statePath` is the state file that `words` names. */
type Launch = { readonly words: readonly string[]; readonly folder: string; readonly statePath: string | undefined };

/**
 * Starts anvil in a network namespace of its own, with a Unix socket in a private folder. The caller removes the folder
 * after both connections are open. From then on, nothing outside the namespace can connect to the node.
 */
const startPrivate = async ({ words, folder, statePath }: Launch): Promise<Anvil> => {
  const socket = join(folder, 'x.ipc');
  const command = [...IN_OWN_NETWORK, ...words, '--host', '127.0.0.1', '--ipc', socket];
  const { pid, ended, stop } = await whenListening(spawnGuarded(command), statePath);
  try {
    const [own, foreign] = await Promise.all([socketLink(socket), socketLink(socket)]);
    // A node that lost a connection is stopped. The next use of its chain starts it again.
    for (const { closed } of [own, foreign]) void closed.then(stop);
    return { pid, ended, stop, reach: 'private', links: [own.link, foreign.link] };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** A random address of 127.0.0.0/8 on Linux, so that other pages and programs cannot guess the node's address. */
const loopbackHost = (): string => {
  const part = () => String(randomInt(1, 255));
  return platform() === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1';
};

const startOnLoopback = async ({ words, statePath }: Launch): Promise<Anvil> => {
  const host = loopbackHost();
  const command = [...words, '--host', host];
  const child = platform() === 'win32' ? spawnPlain(command) : spawnGuarded(command, {});
  const { pid, port, ended, stop } = await whenListening(child, statePath);
  return { pid, ended, stop, reach: 'loopback', links: [httpLink({ host, port }), httpLink({ host, port })] };
};

/** Starts anvil in a private network if the system allows it, otherwise on the loopback. */
const launch = async (settings: Launch): Promise<Anvil> => {
  if (platform() !== 'linux') return startOnLoopback(settings);
  try {
    return await startPrivate(settings);
  } catch {
    return startOnLoopback(settings);
  }
};

/** With a longer temporary folder, the path of the socket could exceed the limit of Unix sockets: 107 bytes. */
const MAX_BASE_PATH = 80;

const privateFolder = (): Promise<string> => {
  const base = tmpdir();
  return mkdtemp(join(base.length > MAX_BASE_PATH && platform() === 'linux' ? '/tmp' : base, 'bursar-'));
};

/**
 * Writes a state to a file for anvil. A file takes half the time of an HTTP call; over a Unix socket, a call of 20 MB takes
 * 5 s. Throws the error of `gunzip` for bytes that are not a state.
 */
const writeState = async (folder: string, state: string): Promise<string> => {
  const path = join(folder, 'state.json');
  await writeFile(path, await promisify(gunzip)(Buffer.from(state.slice(2), 'hex')), { mode: 0o600 });
  return path;
};

/**
 * Starts anvil. Throws `sandbox_unavailable` with the reason and a remedy if anvil cannot run here, and a plain error for a
 * damaged state.
 */
export const startAnvil = async ({
  chainId,
  state,
  keptBlocks,
  binary = findAnvil(),
}: NodeSettings): Promise<Anvil> => {
  const folder = await privateFolder();
  try {
    const statePath = state === undefined ? undefined : await writeState(folder, state);
    const words = [
      ...[binary, ...FLAGS, '--chain-id', String(chainId)],
      ...(keptBlocks === undefined ? [] : ['--transaction-block-keeper', String(keptBlocks)]),
      ...(statePath ? ['--load-state', statePath] : []),
    ];
    return await launch({ words, folder, statePath });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * A shell script that kills anvil when this process ends. `exec` replaces the shell with anvil and keeps the process id;
 * `unshare` and `env` do the same. A subshell reads from a pipe of this process. When this process ends, the system closes
 * the pipe, and the subshell kills anvil. A line on the pipe means that anvil has ended, and ends the subshell.
 */
const GUARD = '( read -r line <&3 || kill -9 $$ ) >/dev/null 2>&1 & exec "$@" 3<&-';

const spawnGuarded = (words: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess =>
  // Detached, so that Ctrl-C in a terminal reaches only the server, which stops its nodes.
  spawn('/bin/sh', ['-c', GUARD, 'sh', ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(env && { env }),
  });

/** Windows has no such shell. If the server is killed there, anvil runs until the user stops it. */
const spawnPlain = ([binary = '', ...words]: readonly string[]): ChildProcess =>
  spawn(binary, words, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, env: {} });

/**
 * Starts a program in a network namespace of its own, see user_namespaces(7). The shell finds `unshare` in its PATH. anvil
 * gets no environment variables.
 */
const IN_OWN_NETWORK = ['unshare', '-r', '-n', 'env', '-i'];

const START_MS = 20_000;

/** Resolves when the process ends or cannot start. Also ends the guard's subshell then. */
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

/** Resolves with the port. Later output of anvil is read and dropped: anvil would block on a full pipe. */
const readPort = (child: ChildProcess, statePath: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const onTimeout = () =>
      reject(cannotRun('anvil did not listen within 20 s', 'Try again; the machine may be busy.'));
    const timer = setTimeout(onTimeout, START_MS);
    let [stdout, stderr] = ['', ''];
    const readChunk = (chunk: string) => {
      stdout += chunk;
      const port = /^Listening on \S+:(\d+)$/m.exec(stdout)?.[1];
      if (port === undefined) return;
      child.stdout?.off('data', readChunk).resume();
      clearTimeout(timer);
      resolve(Number(port));
    };
    child.stdout?.setEncoding('utf8').on('data', readChunk);
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-2000);
    });
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(statePath && reason.includes('--load-state') ? new Error(reason.split('\n')[0]) : explainEnd(reason));
    };
    child.once('error', (error) => fail(messageOf(error)));
    child.once('close', () => fail(stderr));
  });

/**
 * Resolves when anvil listens. `stop` kills anvil, and resolves when the process has ended. Throws `sandbox_unavailable` if
 * anvil cannot run, and a plain error if anvil refuses the state.
 */
const whenListening = async (child: ChildProcess, statePath: string | undefined) => {
  const ended = watchEnd(child);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const port = await readPort(child, statePath);
    return { pid: child.pid ?? 0, port, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
