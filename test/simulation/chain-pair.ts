import { expect } from 'vitest';
import { toHex } from '../../src/sandbox/chains/rpc.ts';
import type { TestAnvil } from '../support/anvil.ts';
import { BLOCK_MS, type EvmChain, newNode } from './evm-chain.ts';

/** The smallest units of a coin. */
export const COIN = 10n ** 18n;

/** Refusals by their meaning: each program for nodes has its own words. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/already (?:known|imported)/, 'known'],
  [/nonce too low/, 'used nonce'],
  [/underpriced/, 'underpriced'],
  [/insufficient funds/i, 'no funds'],
  [/chain id/, 'other chain'],
  [/execution reverted/, 'reverted'],
  [/header not found|BlockOutOfRange/, 'no such block'],
  [/decode|empty transaction|no signed transaction/i, 'no transaction'],
];

const refusalIn = (message: string) => ({
  refused: REFUSALS.find(([pattern]) => pattern.test(message))?.[1] ?? message,
});

type Fields = Readonly<Record<string, unknown>>;
type Chain = { readonly head: number; readonly isOwn: (hash: string) => boolean };

/** A simulated call. The data of a revert is the contract's own: a real token has other texts than the sandbox's. */
const callIn = ({ status, returnData, logs }: Fields) => ({
  status,
  ...(status === '0x1' && { returnData, logs: (logs as readonly Fields[]).map(partsOfLog) }),
});

const partsOfLog = ({ address, topics, data }: Fields) => ({ address, topics, data });

/** What is compared of an answer: the fields that the program reads. */
const shownOf = (method: string, result: unknown, { head, isOwn }: Chain): unknown => {
  if (result === null) return 'null';
  const fields = result as Fields;
  const above = (number: unknown) => (number === null ? 'waits' : head - Number(number));
  switch (method) {
    case 'eth_getTransactionReceipt':
      return { hash: fields['transactionHash'], status: fields['status'], above: above(fields['blockNumber']) };
    case 'eth_getTransactionByHash':
      return { hash: fields['hash'], above: above(fields['blockNumber']) };
    case 'eth_getBlockByNumber': {
      // Each block of the simulation has a transaction of somebody else as well.
      const own = (fields['transactions'] as readonly string[]).filter(isOwn);
      return { above: above(fields['number']), own };
    }
    case 'eth_getBalance':
      // The simulation does not count gas: whole coins, and whether a fee was paid.
      return { coins: (BigInt(String(result)) + COIN - 1n) / COIN, isWhole: BigInt(String(result)) % COIN === 0n };
    case 'eth_simulateV1':
      return (result as readonly { readonly calls: readonly Fields[] }[]).flatMap(({ calls }) => calls.map(callIn));
    default:
      return result;
  }
};

const kindOf = (answer: unknown): string => {
  const { refused, status } = Object(answer) as { refused?: string; status?: string };
  return refused ?? status ?? (answer === 'null' ? 'null' : 'a result');
};

type Given = {
  readonly anvil: TestAnvil;
  readonly chain: EvmChain;
  readonly token: string;
  readonly name: string;
  /** Called at each answer, with its kind. */
  readonly count: (what: string, kind: string) => void;
};

/** anvil and the simulated chain: both get each operation, and each answer is compared. */
export const newPair = async ({ anvil, chain, token, name, count }: Given) => {
  const simulated = newNode(chain, 0);
  /** Accepted bytes by their hash, in the order of the pool. */
  const raws = new Map<string, string>();
  const take = (hash: string, raw: string): void => {
    raws.delete(hash);
    raws.set(hash, raw);
  };
  const story: string[] = [];
  const soFar = (): string => `${name}: ${story.join('; ')}`;
  let now = 0;
  const start = Number(await anvil.call('eth_blockNumber'));
  let head = start;
  const isOwn = (hash: string): boolean => raws.has(hash);

  const askSimulated = (method: string, params: readonly unknown[]): unknown => {
    try {
      return shownOf(method, simulated(method, params, now), { head: chain.headAt(now), isOwn });
    } catch (error) {
      return refusalIn((error as Error).message);
    }
  };
  /** Asks both. A number among the parameters is a block, by how many are above it. */
  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const of = (newest: number) => params.map((each) => (typeof each === 'number' ? toHex(newest - each) : each));
    const answer = await anvil.rpc(method, of(head));
    const real = answer.ok ? shownOf(method, answer.result, { head, isOwn }) : refusalIn(answer.message);
    expect(askSimulated(method, of(chain.headAt(now))), `${soFar()}; ${method}`).toEqual(real);
    count(method, kindOf(real));
    return real;
  };
  const send = async (raw: string): Promise<void> => {
    const hash = await ask('eth_sendRawTransaction', raw);
    if (typeof hash === 'string') take(hash, raw);
  };
  return {
    ask,
    raws,
    story,
    /** A nonce near the pending one. Not that of a transaction that waits for an earlier nonce: anvil would keep both. */
    nonceAfter: (address: string, shift: number): number => {
      const pending = chain.pendingNonce(now, address);
      const pooled = [...raws.keys()].map((hash) => chain.inPool(hash));
      const isTaken = pooled.some((each) => each?.from === address && each.nonce === pending + shift);
      return shift > 0 && isTaken ? pending : Math.max(0, pending + shift);
    },
    send,
    mine: async (blocks: number): Promise<void> => {
      await anvil.call('anvil_mine', toHex(blocks));
      head += blocks;
      for (let mined = 0; mined < blocks; mined += 1) {
        now += BLOCK_MS;
        chain.mine(now);
      }
    },
    /**
     * anvil forgets the transactions of replaced blocks, and puts those that wait before them in the next block, where
     * it drops them. go-ethereum puts the former into the pool again, so both are sent to anvil again.
     */
    reorganise: async (most: number): Promise<number> => {
      // A snapshot is lost with its block.
      const depth = Math.min(most, head - start);
      if (depth === 0) return 0;
      const lost: string[] = [];
      for (let above = depth - 1; above >= 0; above -= 1) {
        const block = (await anvil.call('eth_getBlockByNumber', toHex(head - above), false)) as Fields;
        lost.push(...(block['transactions'] as readonly string[]));
      }
      const known = await Promise.all([...raws.keys()].map((hash) => anvil.call('eth_getTransactionByHash', hash)));
      const waiting = (known as readonly (Fields | null)[]).filter((each) => each?.['blockNumber'] === null);
      await anvil.call('anvil_dropAllTransactions');
      await anvil.call('anvil_reorg', depth, []);
      for (const hash of [...waiting.map((each) => String(each?.['hash'])), ...lost]) {
        await anvil.call('eth_sendRawTransaction', raws.get(hash));
        take(hash, raws.get(hash) ?? '');
      }
      expect(chain.reorganise(now, depth), soFar()).toBe(lost.length);
      return lost.length;
    },
    /** The token transfers that took effect, by the simulation and by the logs of anvil. */
    compareEffects: async (): Promise<void> => {
      const logs = (await anvil.call('eth_getLogs', {
        address: token,
        fromBlock: toHex(start),
      })) as readonly Fields[];
      const real = logs.map(({ transactionHash, topics, data }) => {
        const [, from = '', to = ''] = (topics as readonly string[]).map((topic) => `0x${topic.slice(26)}`);
        return { hash: transactionHash, from, to, units: BigInt(String(data)) };
      });
      const own = chain.effects().map(({ hash, from, to, units }) => ({ hash, from, to, units }));
      expect(own, soFar()).toEqual(real);
    },
  };
};

export type Pair = Awaited<ReturnType<typeof newPair>>;
