import { execFileSync } from 'node:child_process';
import { Wallet } from 'ethers/wallet';
import { onTestFinished } from 'vitest';
import { systemFiles } from '../../../src/io/files/files.ts';
import type { Limits } from '../../../src/sandbox/chains/chain.ts';
import type { BuiltTransfer, EvmNode } from '../../../src/sandbox/chains/node.ts';
import { type Nodes, openNodes } from '../../../src/sandbox/chains/nodes.ts';

export const ETHER = 10n ** 18n;

/** Opens chains that close after the test. Without a folder they are in memory. */
export const nodesIn = (stateFolder?: string, limits?: Limits): Nodes => {
  const nodes = openNodes({ io: { files: systemFiles }, stateFolder, ...(limits && { limits }) });
  onTestFinished(() => nodes.close());
  return nodes;
};

/** A payer with a random key. */
export const newPayer = () => {
  const wallet = Wallet.createRandom();
  return {
    address: wallet.address,
    sign: (transaction: BuiltTransfer) => wallet.signTransaction({ type: 2, ...transaction }),
  };
};

export type Payer = ReturnType<typeof newPayer>;

/** A random address. */
export const newAddress = (): string => Wallet.createRandom().address;

/** A payer with 10 coins and 1,000 USDT on a chain. */
export const fundedPayer = async (node: EvmNode): Promise<Payer> => {
  const payer = newPayer();
  await node.fund(payer.address, undefined, 10n * ETHER);
  await node.fund(payer.address, 'USDT', 1000n * 10n ** BigInt(node.tokenDecimals('USDT')));
  return payer;
};

/** Builds, signs and sends a payment to one receiver; returns the hash. */
export const pay = async (node: EvmNode, payer: Payer, to: string, units: bigint, token?: string): Promise<string> => {
  const built = await node.buildTransfer({ from: payer.address, token, amounts: [{ to, units }] });
  const sent = await node.send(await payer.sign(built));
  if (!sent.ok) throw new Error(sent.message);
  return sent.hash;
};

/** Kills the node of a chain, as the out-of-memory killer does, and waits until `nodes` does not list it as running. */
export const killNode = async (nodes: Nodes, chain: string): Promise<void> => {
  const pid = nodes.pids()[chain];
  if (pid === undefined) throw new Error(`no node of ${chain} runs`);
  process.kill(pid, 'SIGKILL');
  while (nodes.running().includes(chain)) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** Whether a process exists. A zombie counts as alive until its parent reaps it. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The process ids of the anvil nodes that a server started. */
export const anvilsOf = (pid: number): readonly number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => Number(parent) === pid && name === 'anvil')
    .map(([child]) => Number(child));
