import { setInterval } from 'node:timers';
import * as z from 'zod';
import { printJson } from '../../../core/json.ts';
import { FIRST_SLOT, SLOT_MS } from '../../assumptions.ts';
import type { Session } from '../../http/websocket.ts';
import { type Dispatch, invalidParams, type RpcResult, result } from '../../json-rpc.ts';
import { isSolanaAddress } from '../address.ts';
import type { LandedTransaction, SolanaChain } from '../chain.ts';
import { SYSTEM_PROGRAM } from '../instructions.ts';
import type { StoredAccount } from '../store.ts';
import { errorOf } from './history.ts';
import { accountView, findViewRefusal, isRefusal, readViewOptions, VERSION } from './reads.ts';

/** Sends one notification of a subscription. */
type Notify = (value: unknown) => void;

/** The callbacks of a subscription. The subscription ends when `onLanded` or `onOpen` returns `true`. */
type Subscription = {
  readonly onLanded?: (landed: LandedTransaction, notify: Notify) => boolean;
  readonly onSlot?: (slot: number, notify: Notify) => void;
  /** Called once, after the client has received the id of the subscription. */
  readonly onOpen?: (notify: Notify) => Promise<boolean>;
};

/** Makes a subscription from its parameters, or returns the error of invalid parameters. */
type OpenSubscription = (
  chain: SolanaChain,
  params: readonly unknown[],
) => Subscription | ReturnType<typeof invalidParams>;

const atSlot = (slot: number, value: unknown) => ({ context: { slot, apiVersion: VERSION }, value });

/** Notifies once when the transaction lands, also if it landed before the subscription. */
const onSignature: OpenSubscription = (chain, [signature]) => {
  if (typeof signature !== 'string' || signature.length > 100)
    return invalidParams('the first parameter must be a signature');
  return {
    onLanded: ({ signature: landed, slot, error }, notify) => {
      if (landed !== signature) return false;
      notify(atSlot(slot, { err: error ?? null }));
      return true;
    },
    onOpen: async (notify) => {
      const stored = await chain.find(signature);
      if (stored) notify(atSlot(stored.slot, { err: errorOf(stored) }));
      return stored !== undefined;
    },
  };
};

/** An account without lamports does not exist; clients receive it in this form. */
const goneAccount = (address: string): StoredAccount => ({
  address,
  lamports: '0',
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: 0,
});

/** Notifies after each transaction that can change the account. A failed transaction changes only the payer's account. */
const onAccount: OpenSubscription = (chain, [address, options]) => {
  if (typeof address !== 'string' || !isSolanaAddress(address))
    return invalidParams('the first parameter must be an address');
  const view = readViewOptions(options);
  if (isRefusal(view)) return view;
  const refusal = findViewRefusal([chain.account(address)], view);
  if (refusal) return refusal;
  return {
    onLanded: ({ accounts, gone, keys, error, slot }, notify) => {
      const found = accounts.find((each) => each.address === address);
      const after = found ?? (gone.includes(address) ? goneAccount(address) : undefined);
      const isChanged = error === undefined || keys[0] === address;
      if (after && isChanged && !findViewRefusal([after], view)) notify(atSlot(slot, accountView(chain, after, view)));
      return false;
    },
  };
};

const logFilter = z.union([
  z.enum(['all', 'allWithVotes']).transform(() => undefined),
  z.object({ mentions: z.tuple([z.string().refine(isSolanaAddress)]) }).transform(({ mentions: [one] }) => one),
]);

const onLogs: OpenSubscription = (_, [param]) => {
  const filter = logFilter.safeParse(param);
  if (!filter.success) return invalidParams('the first parameter must be all, or {mentions: [one address]}');
  const address = filter.data;
  return {
    onLanded: ({ keys, signature, slot, error, logs }, notify) => {
      if (address === undefined || keys.includes(address))
        notify(atSlot(slot, { signature, err: error ?? null, logs }));
      return false;
    },
  };
};

/** The number of slots between the root and the newest slot. */
const ROOT_DISTANCE = 32;

const rootOf = (slot: number): number => Math.max(FIRST_SLOT, slot - ROOT_DISTANCE);

/** The kinds of subscriptions, by the first word of their methods and notifications. */
const KINDS: Readonly<Record<string, OpenSubscription>> = {
  signature: onSignature,
  account: onAccount,
  logs: onLogs,
  slot: () => ({ onSlot: (slot, notify) => notify({ parent: slot - 1, root: rootOf(slot), slot }) }),
  root: () => ({ onSlot: (slot, notify) => notify(rootOf(slot)) }),
};

const MAX_SUBSCRIPTIONS = 1000;

/** Opens the session of one WebSocket client: its subscriptions. Other methods go to `otherMethods`. */
export const openSubscriptions = (
  chain: SolanaChain,
  otherMethods: Dispatch,
  send: (text: string) => void,
): Session => {
  const subscriptions = new Map<number, { readonly subscription: Subscription; readonly notify: Notify }>();
  let lastId = 0;
  const remove = (id: number): boolean => subscriptions.delete(id);

  const stopListening = chain.onLanded((landed) => {
    for (const [id, { subscription, notify }] of subscriptions) if (subscription.onLanded?.(landed, notify)) remove(id);
  });
  let slot = chain.slots.now();
  /** The timer follows the machine's time, so a change of the sandbox's clock causes one notification. */
  const timer = setInterval(() => {
    const now = chain.slots.now();
    if (now === slot) return;
    slot = now;
    for (const { subscription, notify } of subscriptions.values()) subscription.onSlot?.(now, notify);
  }, SLOT_MS / 2).unref();

  const subscribe = (kind: string, open: OpenSubscription, params: readonly unknown[]): RpcResult => {
    const subscription = open(chain, params);
    if (isRefusal(subscription)) return subscription;
    if (subscriptions.size >= MAX_SUBSCRIPTIONS)
      return invalidParams(`no more than ${MAX_SUBSCRIPTIONS} subscriptions`);
    lastId += 1;
    const id = lastId;
    const notify: Notify = (value) => {
      if (!subscriptions.has(id)) return;
      send(printJson({ jsonrpc: '2.0', method: `${kind}Notification`, params: { result: value, subscription: id } }));
    };
    subscriptions.set(id, { subscription, notify });
    const runOnOpen = async () => {
      if (await subscription.onOpen?.(notify)) remove(id);
    };
    setImmediate(() => void runOnOpen().catch(() => undefined));
    return result(id);
  };
  return {
    dispatch: (method, params) => {
      const [, kind = '', end] = /^([a-z]+)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
      const open = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
      if (!open) return otherMethods(method, params);
      return Promise.resolve(end === 'Subscribe' ? subscribe(kind, open, params) : result(remove(Number(params[0]))));
    },
    end: () => {
      subscriptions.clear();
      clearInterval(timer);
      stopListening();
    },
  };
};
