import { expect } from 'vitest';
import { toHex } from '../../src/sandbox/chains/rpc.ts';
import type { TestAnvil } from '../support/anvil.ts';
import { BLOCK_MS, type EvmChain, newNode } from './evm-chain.ts';

/** The smallest units of a coin. */
export const COIN = 10n ** 18n;

/** Refusals by their meaning, because each node program has its own messages. */
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

/** A simulated call without the data of a revert, because each token contract has its own texts. */
const callIn = ({ status, returnData, logs }: Fields) => ({
  status,
  ...(status === '0x1' && { returnData, logs: (logs as readonly Fields[]).map(partsOfLog) }),
});

const partsOfLog = ({ address, topics, data }: Fields) => ({ address, topics, data });

/** The fields of an answer that the program reads; only these are compared. */
const comparableOf = (method: string, result: unknown, { head, isOwn }: Chain): unknown => {
  if (result === null) return 'null';
  const fields = result as Fields;
  const above = (number: unknown) => (number === null ? 'waits' : head - Number(number));
  switch (method) {
    case 'eth_getTransactionReceipt':
      return { hash: fields['transactionHash'], status: fields['status'], above: above(fields['blockNumber']) };
    case 'eth_getTransactionByHash':
      return { hash: fields['hash'], above: above(fields['blockNumber']) };
    case 'eth_getBlockByNumber': {
      // Each block of the simulation also has a transaction of another account.
      const own = (fields['transactions'] as readonly string[]).filter(isOwn);
      return { above: above(fields['number']), own };
    }
    case 'eth_getBalance':
      // The simulation does not measure gas: the whole coins are compared, and whether a fee was paid.
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

type PairOptions = {
  readonly anvil: TestAnvil;
  readonly chain: EvmChain;
  readonly token: string;
  readonly name: string;
  /** Called for each answer, with its kind. */
  readonly count: (method: string, kind: string) => void;
};

/** Sends each operation to anvil and to the simulated chain, and compares each answer. */
export const newPair = async ({ anvil, chain, token, name, count }: PairOptions) => {
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
      return comparableOf(method, simulated(method, params, now), { head: chain.headAt(now), isOwn });
    } catch (error) {
      return refusalIn((error as Error).message);
    }
  };
  /** Calls both. A number among the parameters is a block, by the number of blocks above it. */
  const ask = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const paramsAt = (newest: number) =>
      params.map((param) => (typeof param === 'number' ? toHex(newest - param) : param));
    const answer = await anvil.rpc(method, paramsAt(head));
    const real = answer.ok ? comparableOf(method, answer.result, { head, isOwn }) : refusalIn(answer.message);
    expect(askSimulated(method, paramsAt(chain.headAt(now))), `${soFar()}; ${method}`).toEqual(real);
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
    /** A nonce near the pending one. It skips a transaction that waits for an earlier nonce: anvil would hold both. */
    nonceAfter: (address: string, shift: number): number => {
      const pending = chain.pendingNonce(now, address);
      const pooled = [...raws.keys()].map((hash) => chain.inPool(hash));
      const isTaken = pooled.some((waiting) => waiting?.from === address && waiting.nonce === pending + shift);
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
     * anvil drops the transactions of replaced blocks, and also drops waiting transactions in the next block. go-ethereum
     * returns them to the pool, so the test sends both to anvil again.
     */
    reorganise: async (maxDepth: number): Promise<number> => {
      // The test's snapshot is in the first block, which must stay.
      const depth = Math.min(maxDepth, head - start);
      if (depth === 0) return 0;
      const lost: string[] = [];
      for (let above = depth - 1; above >= 0; above -= 1) {
        const block = (await anvil.call('eth_getBlockByNumber', toHex(head - above), false)) as Fields;
        lost.push(...(block['transactions'] as readonly string[]));
      }
      const known = await Promise.all([...raws.keys()].map((hash) => anvil.call('eth_getTransactionByHash', hash)));
      const waiting = (known as readonly (Fields | null)[]).filter(
        (transaction) => transaction?.['blockNumber'] === null,
      );
      await anvil.call('anvil_dropAllTransactions');
      await anvil.call('anvil_reorg', depth, []);
      for (const hash of [...waiting.map((transaction) => String(transaction?.['hash'])), ...lost]) {
        await anvil.call('eth_sendRawTransaction', raws.get(hash));
        take(hash, raws.get(hash) ?? '');
      }
      expect(chain.reorganise(now, depth), soFar()).toBe(lost.length);
      return lost.length;
    },
    /** Compares the token transfers that took effect in the simulation with the logs of anvil. */
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
