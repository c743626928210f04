import { setInterval } from 'node:timers';
import * as z from 'zod';
import { printJson } from '../../../core/json.ts';
import { FIRST_SLOT, SLOT_MS } from '../../assumptions.ts';
import type { Session } from '../../http/websocket.ts';
import { type Dispatch, invalidParams, type RpcResult, result } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import type { LandedTransaction, SolanaChain } from '../chain.ts';
import { SYSTEM_PROGRAM } from '../instructions.ts';
import type { KeptAccount } from '../store.ts';
import { errorOf } from './history.ts';
import { accountView, isRefusal, VERSION, viewIn, whyNotShown } from './reads.ts';

/** Sends one notification of a subscription. */
type Notify = (value: unknown) => void;

/** The callbacks of a subscription. A callback that returns `true` ends it, as a signature's does. */
type Live = {
  readonly onLanded?: (landed: LandedTransaction, notify: Notify) => boolean;
  readonly onSlot?: (slot: number, notify: Notify) => void;
  /** Called once, after the client has the id of the subscription. */
  readonly onOpen?: (notify: Notify) => Promise<boolean>;
};

/** Reads the parameters of a subscription, or returns why they are not valid. */
type Open = (chain: SolanaChain, params: readonly unknown[]) => Live | ReturnType<typeof invalidParams>;

const atSlot = (slot: number, value: unknown) => ({ context: { slot, apiVersion: VERSION }, value });

/** Notifies once per transaction, also if it landed before the subscription. */
const onSignature: Open = (chain, [signature]) => {
  if (typeof signature !== 'string' || signature.length > 100) return invalidParams('the first is no signature');
  return {
    onLanded: ({ signature: landed, slot, error }, notify) => {
      if (landed !== signature) return false;
      notify(atSlot(slot, { err: error ?? null }));
      return true;
    },
    onOpen: async (notify) => {
      const kept = await chain.find(signature);
      if (kept) notify(atSlot(kept.slot, { err: errorOf(kept) }));
      return kept !== undefined;
    },
  };
};

const goneAccount = (address: string): KeptAccount => ({
  address,
  lamports: '0',
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: 0,
});

/** Notifies after each transaction that can change the account. A failed transaction changes only the payer's account. */
const onAccount: Open = (chain, [address, options]) => {
  if (typeof address !== 'string' || !isSolanaAddress(address)) return invalidParams('the first is no address');
  const view = viewIn(options);
  if (isRefusal(view)) return view;
  const why = whyNotShown([chain.account(address)], view);
  if (why) return why;
  return {
    onLanded: ({ accounts, gone, keys, error, slot }, notify) => {
      const found = accounts.find((each) => each.address === address);
      const after = found ?? (gone.includes(address) ? goneAccount(address) : undefined);
      const isChanged = error === undefined || keys[0] === address;
      if (after && isChanged && !whyNotShown([after], view)) notify(atSlot(slot, accountView(chain, after, view)));
      return false;
    },
  };
};

const logFilter = z.union([
  z.enum(['all', 'allWithVotes']).transform(() => undefined),
  z.object({ mentions: z.tuple([z.string().refine(isSolanaAddress)]) }).transform(({ mentions: [one] }) => one),
]);

const onLogs: Open = (_, [received]) => {
  const filter = logFilter.safeParse(received);
  if (!filter.success) return invalidParams('the first must be all, or {mentions: [one address]}');
  const address = filter.data;
  return {
    onLanded: ({ keys, signature, slot, error, logs }, notify) => {
      if (address === undefined || keys.includes(address))
        notify(atSlot(slot, { signature, err: error ?? null, logs }));
      return false;
    },
  };
};

/** The root is this many slots behind the newest. On this chain every transaction is final at once. */
const ROOT_AFTER = 32;

const rootOf = (slot: number): number => Math.max(FIRST_SLOT, slot - ROOT_AFTER);

/** The kinds of subscription, by the first word of their methods and notifications. */
const KINDS: Readonly<Record<string, Open>> = {
  signature: onSignature,
  account: onAccount,
  logs: onLogs,
  slot: () => ({ onSlot: (slot, notify) => notify({ parent: slot - 1, root: rootOf(slot), slot }) }),
  root: () => ({ onSlot: (slot, notify) => notify(rootOf(slot)) }),
};

const MAX_SUBSCRIPTIONS = 1000;

/** The subscriptions of one client of the WebSocket; other methods go to `usual`. */
export const openSubscriptions = (chain: SolanaChain, usual: Dispatch, send: (text: string) => void): Session => {
  const live = new Map<number, { readonly what: Live; readonly notify: Notify }>();
  let last = 0;
  const forget = (id: number): boolean => live.delete(id);

  const stopListening = chain.onLanded((landed) => {
    for (const [id, { what, notify }] of live) if (what.onLanded?.(landed, notify)) forget(id);
  });
  let slot = chain.slots.now();
  /** Uses the machine's time, so that a change of the sandbox's clock makes one notification. */
  const timer = setInterval(() => {
    const now = chain.slots.now();
    if (now === slot) return;
    slot = now;
    for (const { what, notify } of live.values()) what.onSlot?.(now, notify);
  }, SLOT_MS / 2).unref();

  const subscribe = (kind: string, open: Open, params: readonly unknown[]): RpcResult => {
    const what = open(chain, params);
    if (isRefusal(what)) return what;
    if (live.size >= MAX_SUBSCRIPTIONS) return invalidParams(`no more than ${MAX_SUBSCRIPTIONS} subscriptions`);
    last += 1;
    const id = last;
    const notify: Notify = (value) => {
      if (!live.has(id)) return;
      send(printJson({ jsonrpc: '2.0', method: `${kind}Notification`, params: { result: value, subscription: id } }));
    };
    live.set(id, { what, notify });
    const begin = async () => {
      if (await what.onOpen?.(notify)) forget(id);
    };
    setImmediate(() => void begin().catch(() => undefined));
    return result(id);
  };
  return {
    dispatch: (method, params) => {
      const [, kind = '', end] = /^([a-z]+)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
      const open = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
      if (!open) return usual(method, params);
      return Promise.resolve(end === 'Subscribe' ? subscribe(kind, open, params) : result(forget(Number(params[0]))));
    },
    end: () => {
      live.clear();
      clearInterval(timer);
      stopListening();
    },
  };
};
