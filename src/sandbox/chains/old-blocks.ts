import { isJsonObject } from '../../core/json.ts';
import type { History, Log, StoredBlock, WordLists } from './history.ts';
import type { Rpc, RpcAnswer } from './rpc.ts';

/** The sources of a read: the node, and the history with the blocks that the node has dropped. */
type Sources = { readonly rpc: Rpc; readonly history: History };

/** Completes a read; it needs no node. */
type Finish = () => RpcAnswer | Promise<RpcAnswer>;

type RpcSuccess = Extract<RpcAnswer, { readonly ok: true }>;

/** Replaces the node's answer with data of the history. The node has already checked the parameters. */
type Override = (sources: Sources, params: readonly unknown[], answer: RpcSuccess) => Promise<Finish>;

const HASH = /^0x[0-9a-f]{64}$/i;
const NUMBER = /^(?:0x[0-9a-f]+|\d+)$/i;

const numberIn = (block: unknown): number | undefined =>
  isJsonObject(block) && typeof block['number'] === 'string' ? Number(block['number']) : undefined;

/** The current number of the block of a tag, such as `safe`. */
const numberOfTag = async ({ rpc }: Sources, tag: unknown): Promise<number | undefined> => {
  const found = await rpc('eth_getBlockByNumber', [tag, false]);
  return found.ok ? numberIn(found.result) : undefined;
};

/** The block number of a parameter: a number, a hash, a tag, or an object with one of them (EIP-1898). */
const numberOf = async (sources: Sources, id: unknown): Promise<number | undefined> => {
  if (typeof id === 'number') return id;
  if (isJsonObject(id)) return numberOf(sources, id['blockHash'] ?? id['blockNumber']);
  if (typeof id !== 'string' || /^pending$/i.test(id)) return undefined;
  if (HASH.test(id)) return sources.history.numberOf(id);
  if (/^earliest$/i.test(id)) return 0;
  return NUMBER.test(id) ? Number(id) : numberOfTag(sources, id);
};

const answerWith = (result: unknown): Finish => {
  const answer: RpcAnswer = { ok: true, result };
  return () => answer;
};

/** Answers from the history if it has the block; otherwise the node's answer stands. */
const fromBlock =
  (show: (stored: StoredBlock, params: readonly unknown[]) => unknown): Override =>
  async (sources, params, answer) => {
    const number = await numberOf(sources, params[0]);
    const stored = number === undefined ? undefined : sources.history.block(number);
    return stored ? answerWith(show(stored, params)) : () => answer;
  };

const showBlock = ({ block }: StoredBlock, [, isFull]: readonly unknown[]) =>
  isFull === true ? block : { ...block, transactions: block.transactions.map(({ hash }) => hash) };

const fromTransaction =
  (part: 'transaction' | 'receipt'): Override =>
  async ({ history }, [hash], answer) => {
    const found = history.transaction(String(hash));
    return found ? answerWith(found[part]) : () => answer;
  };

/** The words that one position of a filter accepts. An empty list accepts every word; `null` does too. */
const listIn = (value: unknown): readonly string[] => {
  const words: readonly unknown[] = [value].flat();
  return words.includes(null) || value === undefined ? [] : words.map((word) => String(word).toLowerCase());
};

/** Addresses and topics of a filter in lower case. An empty list accepts everything. */
const conditionsIn = (filter: Readonly<Record<string, unknown>>) => {
  const topics = Array.isArray(filter['topics']) ? filter['topics'] : [];
  return { addresses: listIn(filter['address']), topics: topics.map(listIn) };
};

type Conditions = ReturnType<typeof conditionsIn>;

const allows = (list: readonly string[], word: string | undefined): boolean =>
  list.length === 0 || (word !== undefined && list.includes(word));

const matches = ({ addresses, topics }: Conditions, log: Log): boolean =>
  allows(addresses, log.address) && topics.every((list, place) => allows(list, log.topics[place]));

const findOldLogs = async (history: History, [from, to]: readonly [number, number], conditions: Conditions) => {
  const words: WordLists = [conditions.addresses, ...conditions.topics].filter((list) => list.length > 0);
  const found: Log[] = [];
  for await (const { logs } of history.receipts(from, to, words)) {
    found.push(...logs.filter((log) => matches(conditions, log)));
  }
  return found;
};

/** The first and the last block of a filter. A missing end means the newest block; an unknown block gives infinity. */
const rangeOf = async (
  sources: Sources,
  { blockHash, fromBlock: from, toBlock: to }: Readonly<Record<string, unknown>>,
) => {
  if (typeof blockHash === 'string') {
    const number = sources.history.numberOf(blockHash) ?? Number.POSITIVE_INFINITY;
    return [number, number] as const;
  }
  const [first, last] = await Promise.all([from ?? 'latest', to ?? 'latest'].map((id) => numberOf(sources, id)));
  return [first ?? Number.POSITIVE_INFINITY, last ?? Number.POSITIVE_INFINITY] as const;
};

const fromLogs: Override = async (sources, [filter], answer) => {
  if (!isJsonObject(filter)) return () => answer;
  const { history } = sources;
  const newest = history.newest();
  const [from, to] = await rangeOf(sources, filter);
  const last = Math.min(to, newest);
  if (from > last) return () => answer;
  const nodeLogs = to > newest ? (answer.result as readonly Log[]) : [];
  const newer = nodeLogs.filter((log) => Number(log['blockNumber']) > newest);
  return async () => ({
    ok: true,
    result: [...(await findOldLogs(history, [from, last], conditionsIn(filter))), ...newer],
  });
};

const OVERRIDES: ReadonlyMap<string, Override> = new Map([
  ['eth_getTransactionByHash', fromTransaction('transaction')],
  ['eth_getTransactionReceipt', fromTransaction('receipt')],
  ['eth_getBlockByNumber', fromBlock(showBlock)],
  ['eth_getBlockByHash', fromBlock(showBlock)],
  ['eth_getBlockReceipts', fromBlock(({ receipts }) => receipts)],
  ['eth_getLogs', fromLogs],
]);

/** The node has dropped the blocks of old hashes, and would refuse the filter. So it checks the filter without the hash. */
const paramsForNode = (history: History, method: string, params: readonly unknown[]): readonly unknown[] => {
  const [filter, ...rest] = params;
  if (method !== 'eth_getLogs' || !isJsonObject(filter)) return params;
  const { blockHash, ...others } = filter;
  const isOld = typeof blockHash === 'string' && history.numberOf(blockHash) !== undefined;
  return isOld && !('fromBlock' in others) && !('toBlock' in others) ? [others, ...rest] : params;
};

/**
 * Reads from a node, and replaces data that the node may have dropped with data of the history. Call it between two changes
 * of the chain. Resolves with a function that returns the answer, also later.
 */
export const readWithHistory = async (
  sources: Sources,
  method: string,
  params: readonly unknown[],
): Promise<Finish> => {
  const answer = await sources.rpc(method, paramsForNode(sources.history, method, params));
  const override = OVERRIDES.get(method);
  return answer.ok && override ? override(sources, params, answer) : () => answer;
};
