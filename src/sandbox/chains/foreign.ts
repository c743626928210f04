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
  type NodeOf,
  newBlocks,
  newLogs,
  newTransactions,
  openPoller,
  type Poller,
  publicMethods,
  REFUSED,
  read,
  type Topic,
} from './public-methods.ts';

const NO_CHAIN = refusal(404, 'chain_not_found', 'The sandbox has no such chain.');
/**
 * A browser sends this type to another site only after a preflight request (CORS). The sandbox answers no preflight, so a
 * page of another site cannot call the chain.
 */
const NO_JSON = refusal(415, 'unsupported_media_type', 'The content type must be application/json.');
const TOO_LARGE = refusal(413, 'body_too_large', 'The body is too large.');

/** The public JSON-RPC of a chain: methods over HTTP, and sessions with subscriptions over a WebSocket. */
type ChainApi = { readonly dispatch: Dispatch; readonly open: (send: (text: string) => void) => Session };

const openApi = (services: Services, chain: string): ChainApi => {
  const node = () => services.node(chain);
  const publicDispatch = publicMethods(node);
  const filters = openFilters(node, services.io.clock.monotonic);
  const dispatch: Dispatch = (method, params) =>
    services.together(async () => publicDispatch(method, params) ?? filters(method, params));
  const watch = async (listener: () => void) => (await services.nodes()).watch(chain, listener);
  return { dispatch, open: (send) => openSubscriptions({ node, watch }, dispatch, send) };
};

/** Returns the function that opens a WebSocket session on a path; `undefined` if the path names no EVM chain. */
export type OpenSession = (path: string) => ChainApi['open'] | undefined;

/**
 * Adds JSON-RPC for wallets and libraries: Ethereum's for each EVM chain, also over WebSockets, and Solana's. Solana's
 * also has ports of its own. The first call starts the node. The methods read, or send a signed transaction. Such a
 * transaction is mined and stored like the service's own.
 */
export const addChains = (app: App, services: Services): OpenSession => {
  const apis = new Map<string, ChainApi>(EVM_CHAINS.map(({ name }) => [name, openApi(services, name)]));
  const openSolana = () => services.together(async () => (await services.solana()).rpc.dispatch);
  const dispatches = new Map<string, () => Promise<Dispatch>>([
    [SOLANA, openSolana],
    ...[...apis].map(([name, { dispatch }]) => [name, async () => dispatch] as const),
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
  return (path) => [...apis].find(([name]) => sandboxChainPath(name) === path)?.[1].open;
};

/** The parts of a chain that subscriptions use. */
type WatchedChain = {
  readonly node: NodeOf;
  /** Calls `listener` after each change of the chain. Call the returned function to stop. */
  readonly watch: (listener: () => void) => Promise<() => void>;
};

/** Reads the new items of a topic. `view` converts an item to the form that the client receives. */
type Feed = { readonly poller: Poller; readonly view: (item: unknown) => unknown };
type TopicView = Pick<Feed, 'view'> & { readonly topic: Topic };

/** Ethereum's nodes send only the header of a block for `newHeads`. */
const headerOf = (block: unknown): unknown => {
  const omitted = ['transactions', 'uncles', 'withdrawals', 'size'];
  return Object.fromEntries(Object.entries(block as object).filter(([name]) => !omitted.includes(name)));
};

/** The topic that the parameters of `eth_subscribe` name. */
const findTopic = async (node: NodeOf, [name, option]: readonly unknown[]): Promise<TopicView | RpcRefusal> => {
  if (name === 'newHeads') return { topic: newBlocks, view: headerOf };
  if (name === 'newPendingTransactions') return { topic: newTransactions(option === true), view: (item) => item };
  if (name !== 'logs') return invalidParams('the first parameter must be newHeads, logs or newPendingTransactions');
  const checked = await checkLogFilter(node, option);
  return 'error' in checked ? checked : { topic: newLogs(checked.filter), view: (item) => item };
};

const MAX_SUBSCRIPTIONS = 1000;

/** Opens the session of one WebSocket client: its subscriptions. Other methods go to `otherMethods`. */
const openSubscriptions = (
  { node, watch }: WatchedChain,
  otherMethods: Dispatch,
  send: (text: string) => void,
): Session => {
  const feeds = new Map<string, Feed>();
  let opening = 0;
  let [isEnded, stopWatching]: [boolean, Promise<() => void> | undefined] = [false, undefined];

  const notify = async (subscription: string, { poller, view }: Feed): Promise<void> => {
    for (const item of await poller.next()) {
      if (!feeds.has(subscription)) return;
      const params = { subscription, result: view(item) };
      send(printJson({ jsonrpc: '2.0', method: 'eth_subscription', params }));
    }
  };
  let [isNotifying, isDue] = [false, false];
  /** One more pass covers all changes made during a pass. A failed read is repeated after the next change. */
  const notifyAll = async (): Promise<void> => {
    isDue = true;
    if (isNotifying) return;
    isNotifying = true;
    while (isDue) {
      isDue = false;
      await Promise.allSettled([...feeds].map(([id, each]) => notify(id, each)));
    }
    isNotifying = false;
  };
  const subscribe = async (params: readonly unknown[]): Promise<RpcResult> => {
    const requested = await findTopic(node, params);
    if ('error' in requested) return requested;
    const poller = await openPoller(node, requested.topic);
    stopWatching ??= watch(() => void notifyAll());
    await stopWatching.catch((error: unknown) => {
      // A chain that cannot be watched now may be watched at the next subscription.
      stopWatching = undefined;
      throw error;
    });
    if (feeds.size + opening >= MAX_SUBSCRIPTIONS)
      return rpcError(REFUSED, `no more than ${MAX_SUBSCRIPTIONS} subscriptions`);
    opening += 1;
    if (isEnded) void stopWatching?.then((stop) => stop());
    const id = newId();
    // The client must have the id of the subscription before the first notification.
    setImmediate(() => {
      opening -= 1;
      feeds.set(id, { poller, view: requested.view });
      void notifyAll();
    });
    return result(id);
  };
  return {
    dispatch: (method, params) => {
      if (method === 'eth_subscribe') return subscribe(params);
      if (method === 'eth_unsubscribe') return Promise.resolve(result(feeds.delete(String(params[0]))));
      return otherMethods(method, params);
    },
    end: () => {
      isEnded = true;
      feeds.clear();
      void stopWatching?.then((stop) => stop());
    },
  };
};

/** A random id, as Ethereum's nodes use it. No client can guess the id of another client. */
const newId = (): string => `0x${randomBytes(16).toString('hex')}`;

const BLOCK = /^(?:earliest|latest|pending|safe|finalized|0x[0-9a-f]{1,13})$/i;

/**
 * Checks a filter for new logs: the node must accept its fields. Returns the filter, or the error. A filter with
 * `blockHash` is refused, because it finds logs of a past block only.
 */
const checkLogFilter = async (node: NodeOf, param: unknown): Promise<{ readonly filter: LogFilter } | RpcRefusal> => {
  const filter = param ?? {};
  if (!isJsonObject(filter) || 'blockHash' in filter)
    return invalidParams('the filter must be an object without blockHash');
  const ends = [filter['fromBlock'], filter['toBlock']].map((end) => end ?? 'latest');
  if (!ends.every((end) => typeof end === 'string' && BLOCK.test(end)))
    return invalidParams('fromBlock and toBlock must be block numbers or tags');
  const trial = await read(await node(), 'eth_getLogs', [{ ...filter, fromBlock: 'latest', toBlock: 'latest' }]);
  return 'error' in trial ? trial : { filter };
};

/** `logs`: the filter of logs, if the topic is logs. `usedAt`: the time of the last call, in milliseconds. */
type Filter = Feed & { readonly logs?: LogFilter; usedAt: number };

/** Ethereum's nodes remove an unused filter after this time. */
const MAX_UNUSED_MS = 5 * 60_000;
const MAX_FILTERS = 1000;
/** The code of EIP-1474. */
const LIMIT_EXCEEDED = -32_005;

const NOT_FOUND = rpcError(REFUSED, 'filter not found');

/**
 * The methods of filters of a chain, such as `eth_newFilter`. `now` returns milliseconds. A filter belongs to no client:
 * every caller with its id can use the filter.
 */
const openFilters = (node: NodeOf, now: () => number): Dispatch => {
  const filters = new Map<string, Filter>();
  const add = async (topic: Topic, view: Feed['view'], logs?: LogFilter): Promise<RpcResult> => {
    const poller = await openPoller(node, topic);
    for (const [id, { usedAt }] of filters) if (now() - usedAt > MAX_UNUSED_MS) filters.delete(id);
    if (filters.size >= MAX_FILTERS) {
      return rpcError(LIMIT_EXCEEDED, `no more than ${MAX_FILTERS} filters; uninstall some`);
    }
    const id = newId();
    filters.set(id, { poller, view, ...(logs && { logs }), usedAt: now() });
    return result(id);
  };
  const use = (id: unknown): Filter | undefined => {
    const found = filters.get(String(id));
    if (found) found.usedAt = now();
    return found;
  };
  const addLogs = async (param: unknown): Promise<RpcResult> => {
    const checked = await checkLogFilter(node, param);
    if ('error' in checked) return checked;
    return add(newLogs(checked.filter), (log) => log, checked.filter);
  };
  const changes = async (id: unknown): Promise<RpcResult> => {
    const filter = use(id);
    return filter ? result((await filter.poller.next()).map(filter.view)) : NOT_FOUND;
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
