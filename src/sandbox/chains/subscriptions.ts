import { printJson } from '../../core/json.ts';
import type { Session } from '../http/rpc-sockets.ts';
import { type Dispatch, invalidParams, type RpcRefusal, type RpcResult, result, rpcError } from '../json-rpc.ts';
import { checkLogFilter, newId } from './filters.ts';
import { type News, type NodeOf, newBlocks, newLogs, newTransactions, openNews, type Topic } from './news.ts';
import { REFUSED } from './public-methods.ts';

/** What a subscription needs of its chain. */
export type Watched = {
  readonly node: NodeOf;
  /** Calls back when the chain has changed, until the function that it gives is called. */
  readonly watch: (listener: () => void) => Promise<() => void>;
};

type Found = { readonly topic: Topic; readonly view: (found: unknown) => unknown };

/** Ethereum's nodes send the header of a block alone. */
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

/** What is subscribed to, by the name that `eth_subscribe` has for it. */
const findTopic = async (node: NodeOf, [name, more]: readonly unknown[]): Promise<Found | RpcRefusal> => {
  if (name === 'newHeads') return { topic: newBlocks, view: headerOf };
  if (name === 'newPendingTransactions') return { topic: newTransactions(more === true), view: (found) => found };
  if (name !== 'logs') return invalidParams('the first must be newHeads, logs or newPendingTransactions');
  const checked = await checkLogFilter(node, more);
  return 'error' in checked ? checked : { topic: newLogs(checked.filter), view: (found) => found };
};

const MOST = 1000;

type Live = { readonly news: News; readonly view: Found['view'] };

/** The subscriptions of one client of a chain's WebSocket, beside the `usual` methods. */
export const openSubscriptions = ({ node, watch }: Watched, usual: Dispatch, send: (text: string) => void): Session => {
  const live = new Map<string, Live>();
  let opening = 0;
  let [isEnded, stopWatching]: [boolean, Promise<() => void> | undefined] = [false, undefined];

  const tell = async (subscription: string, { news, view }: Live): Promise<void> => {
    for (const found of await news.next()) {
      if (!live.has(subscription)) return;
      const params = { subscription, result: view(found) };
      send(printJson({ jsonrpc: '2.0', method: 'eth_subscription', params }));
    }
  };
  let [isTelling, isDue] = [false, false];
  /** However many changes come meanwhile, one more look finds them. A node that has died is asked at the next change. */
  const tellAll = async (): Promise<void> => {
    isDue = true;
    if (isTelling) return;
    isTelling = true;
    while (isDue) {
      isDue = false;
      await Promise.allSettled([...live].map(([id, each]) => tell(id, each)));
    }
    isTelling = false;
  };
  const subscribe = async (params: readonly unknown[]): Promise<RpcResult> => {
    const found = await findTopic(node, params);
    if ('error' in found) return found;
    const news = await openNews(node, found.topic);
    stopWatching ??= watch(() => void tellAll());
    await stopWatching;
    if (live.size + opening >= MOST) return rpcError(REFUSED, `no more than ${MOST} subscriptions`);
    opening += 1;
    if (isEnded) void stopWatching.then((stop) => stop());
    const id = newId();
    // The answer that names the subscription comes before its first news.
    setImmediate(() => {
      opening -= 1;
      live.set(id, { news, view: found.view });
      void tellAll();
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
