import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { findAnvil } from './anvil-binary.ts';
import { type NodeProcess, type Start, startProcess } from './anvil-process.ts';
import { httpLink, type Link, socketLink } from './links.ts';

/**
 * Who can connect to a node: `private`, a process that enters the node's network namespace, which needs the same user or
 * root; `loopback`, every program and web page on this machine that finds its port. A node takes commands that change
 * balances from every client.
 */
export type Reach = 'private' | 'loopback';

/** A running anvil process. */
export type Anvil = Pick<NodeProcess, 'pid' | 'ended' | 'stop'> & {
  readonly reach: Reach;
  /** Two ways to it: a slow call on one does not hold up the other. */
  readonly links: readonly [Link, Link];
};

/** What a node starts with: its chain id, and a state as anvil dumps it, in hex. */
export type Begin = { readonly chainId: number; readonly state?: string | undefined; readonly binary?: string };

/**
 * No accounts with published keys; no mining but ours, in the order in which we send, so that the chain's history is
 * one that we know; no states of past blocks, in memory or on disk; no limit for large requests.
 */
const FLAGS: readonly string[] = [
  ...['--port', '0', '--accounts', '0', '--no-cors', '--no-mining', '--order', 'fifo', '--prune-history'],
  ...['--no-request-size-limit', '--disable-default-create2-deployer'],
];

/** The program with what both ways to start it share. */
type Common = Pick<Start, 'statePath'> & { readonly words: readonly string[]; readonly folder: string };

/**
 * A network namespace of its own and a Unix socket in a private folder, which is removed once both ways are connected.
 * Nothing outside of that namespace can connect to the node then.
 */
const startPrivate = async ({ words, folder, statePath }: Common): Promise<Anvil> => {
  const socket = join(folder, 'x.ipc');
  const all = [...words, '--host', '127.0.0.1', '--ipc', socket];
  const { pid, ended, stop } = await startProcess({ words: all, hasOwnNetwork: true, statePath });
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
  const { pid, port, ended, stop } = await startProcess({ words: all, hasOwnNetwork: false, statePath });
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
 * anvil reads a state from a file in half the time of a call, and over a Unix socket a call of 20 MB takes 5 s. Throws
 * what `gunzip` throws for a state that is not one.
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
export const startAnvil = async ({ chainId, state, binary = findAnvil() }: Begin): Promise<Anvil> => {
  const folder = await privateFolder();
  try {
    const statePath = state === undefined ? undefined : await writeState(folder, state);
    const words = [binary, ...FLAGS, '--chain-id', String(chainId), ...(statePath ? ['--load-state', statePath] : [])];
    return await startSomewhere({ words, folder, statePath });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
