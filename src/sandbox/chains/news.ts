import { Failure } from '../../core/failure.ts';
import { fromHex, toHex } from './hex.ts';
import type { EvmNode } from './node.ts';
import { read } from './public-methods.ts';

/** The node of a chain, started where it does not run. */
export type NodeOf = () => Promise<EvmNode>;

/** A read of the chain that a healthy node does not refuse. Throws `internal` when it does. */
export type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

const askOf =
  (node: NodeOf): Ask =>
  async (method, ...params) => {
    const answer = await read(await node(), method, params);
    if ('result' in answer) return answer.result;
    throw new Failure('internal', `the sandbox's node refused ${method}: ${answer.error.message}`);
  };

/** Finds something in the blocks from the first to the last. */
export type Topic = (ask: Ask, first: number, last: number) => Promise<readonly unknown[]>;

/** A block as the node shows it. */
export type Block = Readonly<Record<string, unknown>> & { readonly hash: string; readonly transactions: unknown[] };

/** Blocks that are asked for at once. */
const TOGETHER = 100;

const blocks = async (ask: Ask, first: number, last: number, isWhole: boolean): Promise<readonly Block[]> => {
  const found: Block[] = [];
  for (let from = first; from <= last; from += TOGETHER) {
    const count = Math.min(TOGETHER, last - from + 1);
    const some = Array.from({ length: count }, (_, at) => ask('eth_getBlockByNumber', toHex(from + at), isWhole));
    found.push(...((await Promise.all(some)) as Block[]));
  }
  return found;
};

/** Every new block, without its transactions. */
export const newBlocks: Topic = (ask, first, last) => blocks(ask, first, last, false);

/** The hash of every new transaction, or all of it. None is ever pending: each is mined as it comes. */
export const newTransactions =
  (isWhole: boolean): Topic =>
  async (ask, first, last) =>
    (await blocks(ask, first, last, isWhole)).flatMap(({ transactions }) => transactions);

/** What is looked for in logs, as `eth_getLogs` takes it. */
export type LogFilter = Readonly<Record<string, unknown>>;

/** A block's number; the tags of blocks that are still to come have none. */
const numberIn = (value: unknown): number | undefined => {
  if (value === 'earliest') return 0;
  return typeof value === 'string' && value.startsWith('0x') ? Number(value) : undefined;
};

/** Every new log that the filter takes. */
export const newLogs =
  (filter: LogFilter): Topic =>
  async (ask, first, last) => {
    const from = Math.max(first, numberIn(filter['fromBlock']) ?? 0);
    const to = Math.min(last, numberIn(filter['toBlock']) ?? last);
    if (from > to) return [];
    return (await ask('eth_getLogs', { ...filter, fromBlock: toHex(from), toBlock: toHex(to) })) as unknown[];
  };

/** What was new at each look since the one before. Looks that overlap wait for each other. */
export type News = { readonly next: () => Promise<readonly unknown[]> };

/** News of a topic from here on. After a reset of the chain they begin with the first block that is new then. */
export const openNews = async (node: NodeOf, topic: Topic): Promise<News> => {
  const ask = askOf(node);
  const latest = async () => Number(fromHex(await ask('eth_blockNumber')));
  let seen = await latest();
  const look = async () => {
    const last = await latest();
    const found = last > seen ? await topic(ask, seen + 1, last) : [];
    seen = last;
    return found;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    next: () => {
      const looked = turn.then(look);
      turn = looked.catch(() => undefined);
      return looked;
    },
  };
};
