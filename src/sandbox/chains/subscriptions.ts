import { printJson } from '../../core/json.ts';
import type { Session } from '../http/rpc-sockets.ts';
import { type Dispatch, invalidParams, type RpcRefusal, type RpcResult, result, rpcError } from '../json-rpc.ts';
import { checkLogFilter, newId } from './filters.ts';
import { type News, type NodeOf, newBlocks, newLogs, newTransactions, openNews, type Topic } from './news.ts';
import { REFUSED } from './public-methods.ts';

/** The parts of a chain that subscriptions use. */
export type Watched = {
  readonly node: NodeOf;
  /** Calls `listener` after each change of the chain. Call the returned function to stop. */
  readonly watch: (listener: () => void) => Promise<() => void>;
};

type Found = { readonly topic: Topic; readonly view: (found: unknown) => unknown };

/** `newHeads` sends only the header of a block, as Ethereum's nodes do. */
const headerOf = (block: unknown): unknown => {
  const {
    transactions: _,
    uncles: _uncles,
    withdrawals: _withdrawals,
    size: _size,
    ...header
  } = block as Readonly<Record<string, unknown>>;
  return header;
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

type Live = { readonly news: News; readonly view: Found['view'] };

/** The subscriptions of one client of a chain's WebSocket; other methods go to `usual`. */
export const openSubscriptions = ({ node, watch }: Watched, usual: Dispatch, send: (text: string) => void): Session => {
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
