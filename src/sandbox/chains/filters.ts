import { randomBytes } from 'node:crypto';
import { isJsonObject } from '../../core/json.ts';
import { type Dispatch, invalidParams, type RpcRefusal, type RpcResult, result, rpcError } from '../json-rpc.ts';
import {
  type Block,
  type LogFilter,
  type News,
  type NodeOf,
  newBlocks,
  newLogs,
  newTransactions,
  openNews,
  type Topic,
} from './news.ts';
import { REFUSED, read } from './public-methods.ts';

/** An id as Ethereum's nodes give it: nobody can guess another client's. */
export const newId = (): string => `0x${randomBytes(16).toString('hex')}`;

const BLOCK = /^(?:earliest|latest|pending|safe|finalized|0x[0-9a-f]{1,13})$/i;

/**
 * A filter of logs whose parts the node takes, or its error. A block's hash is for logs of the past, and no news.
 */
export const checkLogFilter = async (
  node: NodeOf,
  given: unknown,
): Promise<{ readonly filter: LogFilter } | RpcRefusal> => {
  const filter = given ?? {};
  if (!isJsonObject(filter) || 'blockHash' in filter) return invalidParams('it is no filter of new logs');
  const ends = [filter['fromBlock'], filter['toBlock']].map((end) => end ?? 'latest');
  if (!ends.every((end) => typeof end === 'string' && BLOCK.test(end))) return invalidParams('it names no blocks');
  const tried = await read(await node(), 'eth_getLogs', [{ ...filter, fromBlock: 'latest', toBlock: 'latest' }]);
  return 'error' in tried ? tried : { filter };
};

type Filter = { readonly news: News; readonly view: (found: unknown) => unknown; readonly logs?: LogFilter };

/** A filter that nobody asks about is forgotten after this time, as Ethereum's nodes do. */
const FORGOTTEN_MS = 5 * 60_000;
const MAX_FILTERS = 1000;
/** The code of EIP-1474. */
const LIMIT_EXCEEDED = -32_005;

/** Keeps filters by id, each with the time of its last use. */
const openStore = (now: () => number) => {
  const filters = new Map<string, Filter & { usedAt: number }>();
  return {
    isFull: () => {
      for (const [id, { usedAt }] of filters) if (now() - usedAt > FORGOTTEN_MS) filters.delete(id);
      return filters.size >= MAX_FILTERS;
    },
    add: (filter: Filter): string => {
      const id = newId();
      filters.set(id, { ...filter, usedAt: now() });
      return id;
    },
    use: (id: unknown): Filter | undefined => {
      const found = filters.get(String(id));
      if (found) found.usedAt = now();
      return found;
    },
    remove: (id: unknown) => filters.delete(String(id)),
  };
};

const NOT_FOUND = rpcError(REFUSED, 'filter not found');

/** The filters of a chain: `eth_newFilter` and its like. `now` in milliseconds; clients share them by their ids. */
export const openFilters = (node: NodeOf, now: () => number): Dispatch => {
  const store = openStore(now);
  const add = async (topic: Topic, more: Omit<Filter, 'news'>): Promise<RpcResult> => {
    const news = await openNews(node, topic);
    if (store.isFull()) return rpcError(LIMIT_EXCEEDED, `no more than ${MAX_FILTERS} filters; uninstall some`);
    return result(store.add({ news, ...more }));
  };
  const addLogs = async (given: unknown): Promise<RpcResult> => {
    const checked = await checkLogFilter(node, given);
    if ('error' in checked) return checked;
    return add(newLogs(checked.filter), { view: (log) => log, logs: checked.filter });
  };
  const changes = async (id: unknown): Promise<RpcResult> => {
    const filter = store.use(id);
    return filter ? result((await filter.news.next()).map(filter.view)) : NOT_FOUND;
  };
  const allLogs = async (id: unknown): Promise<RpcResult> => {
    const logs = store.use(id)?.logs;
    return logs ? read(await node(), 'eth_getLogs', [logs]) : NOT_FOUND;
  };
  const methods: Readonly<Record<string, (first: unknown) => Promise<RpcResult>>> = {
    eth_newFilter: addLogs,
    eth_newBlockFilter: () => add(newBlocks, { view: (block) => (block as Block).hash }),
    eth_newPendingTransactionFilter: () => add(newTransactions(false), { view: (hash) => hash }),
    eth_getFilterChanges: changes,
    eth_getFilterLogs: allLogs,
    eth_uninstallFilter: async (id) => result(store.remove(id)),
  };
  return (method, [first]) => (Object.hasOwn(methods, method) ? methods[method]?.(first) : undefined);
};
