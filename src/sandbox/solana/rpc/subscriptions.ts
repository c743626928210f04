import { printJson } from '../../../core/json.ts';
import { invalidParams, type RpcResult, result } from '../../json-rpc.ts';
import type { SolanaChain } from '../chain.ts';
import type { TransactionError } from '../errors.ts';
import { errorOf } from './transactions.ts';

/** What one client of the WebSocket waits for. */
export type Subscriptions = {
  readonly subscribe: (params: readonly unknown[]) => RpcResult;
  readonly unsubscribe: (params: readonly unknown[]) => RpcResult;
  readonly end: () => void;
};

const MOST = 1000;

/** Waits for signatures, tells of each once, and forgets it then, as Solana's nodes do. */
export const openSubscriptions = (chain: SolanaChain, send: (text: string) => void): Subscriptions => {
  const waiting = new Map<number, string>();
  let last = 0;
  const tell = (id: number, slot: number, err: TransactionError | null): void => {
    if (!waiting.delete(id)) return;
    const told = { result: { context: { slot }, value: { err } }, subscription: id };
    send(printJson({ jsonrpc: '2.0', method: 'signatureNotification', params: told }));
  };
  const stop = chain.onLanded((signature, slot, error) => {
    for (const [id, awaited] of waiting) if (awaited === signature) tell(id, slot, error ?? null);
  });
  /** One that landed before: told after the answer that names the subscription. */
  const lookBack = async (id: number, signature: string): Promise<void> => {
    const kept = await chain.find(signature);
    if (kept) tell(id, kept.slot, errorOf(kept));
  };
  return {
    subscribe: ([signature]) => {
      if (typeof signature !== 'string' || signature.length > 100) return invalidParams('the first is no signature');
      if (waiting.size >= MOST) return invalidParams(`no more than ${MOST} subscriptions`);
      last += 1;
      const id = last;
      waiting.set(id, signature);
      setImmediate(() => void lookBack(id, signature).catch(() => undefined));
      return result(id);
    },
    unsubscribe: ([id]) => result(waiting.delete(Number(id))),
    end: () => {
      waiting.clear();
      stop();
    },
  };
};
