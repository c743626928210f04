import { randomBytes } from 'node:crypto';
import { EVM_CHAINS, SOLANA, sandboxChainPath } from '../../contract/chains.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
import { type App, refusal, send } from '../http/envelope.ts';
import { readBytes } from '../http/read-input.ts';
import type { Session } from '../http/websocket.ts';
import {
  answerText,
  type Dispatch,
  invalidParams,
  type RpcRefusal,
  type RpcResult,
  result,
  rpcError,
} from '../json-rpc.ts';
import type { Services } from '../services.ts';
import {
  type Block,
  type LogFilter,
  type News,
  type NodeOf,
  newBlocks,
  newLogs,
  newTransactions,
  openNews,
  publicMethods,
  REFUSED,
  read,
  type Topic,
} from './public-methods.ts';

const NO_CHAIN = refusal(404, 'chain_not_found', 'The sandbox has no such chain.');
/** A page of another site cannot send this type without asking first, and nothing here answers its question. */
const NO_JSON = refusal(415, 'unsupported_media_type', 'The content type must be application/json.');
const TOO_LARGE = refusal(413, 'body_too_large', 'The body is too large.');

/** A chain for everybody: its methods over HTTP, and with subscriptions over a WebSocket. */
type Face = { readonly dispatch: Dispatch; readonly open: (send: (text: string) => void) => Session };

const faceOf = (services: Services, chain: string): Face => {
  const node = () => services.node(chain);
  const usual = publicMethods(node);
  const filters = openFilters(node, services.io.clock.monotonic);
  const dispatch: Dispatch = (method, params) => usual(method, params) ?? filters(method, params);
  const watch = async (listener: () => void) => (await services.nodes()).watch(chain, listener);
  return { dispatch, open: (send) => openSubscriptions({ node, watch }, dispatch, send) };
};

/** Opens the session of a client of a path; `undefined` where no chain answers. */
export type OpenSession = (path: string) => Face['open'] | undefined;

/**
 * Ethereum's JSON-RPC on each EVM chain, with sessions over WebSockets, and Solana's, which also has ports of its own,
 * for wallets and libraries. The node is started by the first call. Only what reads, and signed transactions: those are
 * mined and kept as the service's own are.
 */
export const addChains = (app: App, services: Services): OpenSession => {
  const faces = new Map<string, Face>(EVM_CHAINS.map(({ name }) => [name, faceOf(services, name)]));
  const onSolana = async () => (await services.solana()).rpc.dispatch;
  const dispatches = new Map<string, () => Promise<Dispatch>>([
    [SOLANA, onSolana],
    ...[...faces].map(([name, { dispatch }]) => [name, async () => dispatch] as const),
  ]);
  app.post(sandboxChainPath(':name'), async (context) => {
    const dispatchOf = dispatches.get(context.req.param().name);
    if (!dispatchOf) return send(context, NO_CHAIN);
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) return send(context, NO_JSON);
    const bytes = await readBytes(context.env.incoming);
    if (!bytes) return send(context, TOO_LARGE);
    const text = await answerText(await dispatchOf(), new TextDecoder().decode(bytes));
    context.env.answered = 'json_rpc';
    return new Response(text, { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
  });
  return (path) => [...faces].find(([name]) => sandboxChainPath(name) === path)?.[1].open;
};

/** The parts of a chain that subscriptions use. */
type Watched = {
  readonly node: NodeOf;
  /** Calls `listener` after each change of the chain. Call the returned function to stop. */
  readonly watch: (listener: () => void) => Promise<() => void>;
};

/** What is new of a topic, and how a client sees it. */
type Live = { readonly news: News; readonly view: (found: unknown) => unknown };
type Found = Pick<Live, 'view'> & { readonly topic: Topic };

/** `newHeads` sends only the header of a block, as Ethereum's nodes do. */
const headerOf = (block: unknown): unknown => {
  const others = ['transactions', 'uncles', 'withdrawals', 'size'];
  return Object.fromEntries(Object.entries(block as object).filter(([name]) => !others.includes(name)));
};

/** The topic that the parameters of `eth_subscribe` name. */
const findTopic = async (node: NodeOf, [name, more]: readonly unknown[]): Promise<Found | RpcRefusal> => {
  if (name === 'newHeads') return { topic: newBlocks, view: headerOf };
  if (name === 'newPendingTransactions') return { topic: newTransactions(more === true), view: (found) => found };
  if (name !== 'logs') return invalidParams('the first must be newHeads, logs or newPendingTransactions');
  const checked = await checkLogFilter(node, more);
  return 'error' in checked ? checked : { topic: newLogs(checked.filter), view: (found) => found };
};

const MAX_SUBSCRIPTIONS = 1000;

/** The subscriptions of one client of a chain's WebSocket; other methods go to `usual`. */
const openSubscriptions = ({ node, watch }: Watched, usual: Dispatch, send: (text: string) => void): Session => {
  const live = new Map<string, Live>();
  let opening = 0;
  let [isEnded, stopWatching]: [boolean, Promise<() => void> | undefined] = [false, undefined];

  const notify = async (subscription: string, { news, view }: Live): Promise<void> => {
    for (const found of await news.next()) {
      if (!live.has(subscription)) return;
      const params = { subscription, result: view(found) };
      send(printJson({ jsonrpc: '2.0', method: 'eth_subscription', params }));
    }
  };
  let [isNotifying, isDue] = [false, false];
  /** One more pass covers all changes made during a pass. A node that has died is read again at the next change. */
  const notifyAll = async (): Promise<void> => {
    isDue = true;
    if (isNotifying) return;
    isNotifying = true;
    while (isDue) {
      isDue = false;
      await Promise.allSettled([...live].map(([id, each]) => notify(id, each)));
    }
    isNotifying = false;
  };
  const subscribe = async (params: readonly unknown[]): Promise<RpcResult> => {
    const found = await findTopic(node, params);
    if ('error' in found) return found;
    const news = await openNews(node, found.topic);
    stopWatching ??= watch(() => void notifyAll());
    await stopWatching;
    if (live.size + opening >= MAX_SUBSCRIPTIONS)
      return rpcError(REFUSED, `no more than ${MAX_SUBSCRIPTIONS} subscriptions`);
    opening += 1;
    if (isEnded) void stopWatching.then((stop) => stop());
    const id = newId();
    // The client must have the id of the subscription before the first notification.
    setImmediate(() => {
      opening -= 1;
      live.set(id, { news, view: found.view });
      void notifyAll();
    });
    return result(id);
  };
  return {
    dispatch: (method, params) => {
      if (method === 'eth_subscribe') return subscribe(params);
      if (method === 'eth_unsubscribe') return Promise.resolve(result(live.delete(String(params[0]))));
      return usual(method, params);
    },
    end: () => {
      isEnded = true;
      live.clear();
      void stopWatching?.then((stop) => stop());
    },
  };
};

/** An id as Ethereum's nodes give it: nobody can guess another client's. */
const newId = (): string => `0x${randomBytes(16).toString('hex')}`;

const BLOCK = /^(?:earliest|latest|pending|safe|finalized|0x[0-9a-f]{1,13})$/i;

/**
 * A filter of logs whose parts the node takes, or its error. A block's hash is for logs of the past, and no news.
 */
const checkLogFilter = async (node: NodeOf, given: unknown): Promise<{ readonly filter: LogFilter } | RpcRefusal> => {
  const filter = given ?? {};
  if (!isJsonObject(filter) || 'blockHash' in filter) return invalidParams('it is no filter of new logs');
  const ends = [filter['fromBlock'], filter['toBlock']].map((end) => end ?? 'latest');
  if (!ends.every((end) => typeof end === 'string' && BLOCK.test(end))) return invalidParams('it names no blocks');
  const tried = await read(await node(), 'eth_getLogs', [{ ...filter, fromBlock: 'latest', toBlock: 'latest' }]);
  return 'error' in tried ? tried : { filter };
};

type Filter = Live & { readonly logs?: LogFilter; usedAt: number };

/** An unused filter is removed after this time, as Ethereum's nodes do. */
const FORGOTTEN_MS = 5 * 60_000;
const MAX_FILTERS = 1000;
/** The code of EIP-1474. */
const LIMIT_EXCEEDED = -32_005;

const NOT_FOUND = rpcError(REFUSED, 'filter not found');

/** The filters of a chain: `eth_newFilter` and its like. `now` in milliseconds; clients share them by their ids. */
const openFilters = (node: NodeOf, now: () => number): Dispatch => {
  const filters = new Map<string, Filter>();
  const add = async (topic: Topic, view: Live['view'], logs?: LogFilter): Promise<RpcResult> => {
    const news = await openNews(node, topic);
    for (const [id, { usedAt }] of filters) if (now() - usedAt > FORGOTTEN_MS) filters.delete(id);
    if (filters.size >= MAX_FILTERS) {
      return rpcError(LIMIT_EXCEEDED, `no more than ${MAX_FILTERS} filters; uninstall some`);
    }
    const id = newId();
    filters.set(id, { news, view, ...(logs && { logs }), usedAt: now() });
    return result(id);
  };
  const use = (id: unknown): Filter | undefined => {
    const found = filters.get(String(id));
    if (found) found.usedAt = now();
    return found;
  };
  const addLogs = async (given: unknown): Promise<RpcResult> => {
    const checked = await checkLogFilter(node, given);
    if ('error' in checked) return checked;
    return add(newLogs(checked.filter), (log) => log, checked.filter);
  };
  const changes = async (id: unknown): Promise<RpcResult> => {
    const filter = use(id);
    return filter ? result((await filter.news.next()).map(filter.view)) : NOT_FOUND;
  };
  const allLogs = async (id: unknown): Promise<RpcResult> => {
    const logs = use(id)?.logs;
    return logs ? read(await node(), 'eth_getLogs', [logs]) : NOT_FOUND;
  };
  const methods: Readonly<Record<string, (first: unknown) => Promise<RpcResult>>> = {
    eth_newFilter: addLogs,
    eth_newBlockFilter: () => add(newBlocks, (block) => (block as Block).hash),
    eth_newPendingTransactionFilter: () => add(newTransactions(false), (hash) => hash),
    eth_getFilterChanges: changes,
    eth_getFilterLogs: allLogs,
    eth_uninstallFilter: async (id) => result(filters.delete(String(id))),
  };
  return (method, [first]) => (Object.hasOwn(methods, method) ? methods[method]?.(first) : undefined);
};
