import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import bs58 from 'bs58';
import { Failure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { BLOCKHASH_SLOTS, FIRST_SLOT, SLOT_MS } from '../assumptions.ts';
import { groupCommit } from '../chains/commit.ts';
import type { SandboxClock } from '../clock.ts';
import { type Effects, type Holdings, holdingsAfter, type TransactionError } from './effects.ts';
import { genesisAccounts } from './genesis.ts';
import { lenderAccount } from './instructions.ts';
import type { ParsedTransaction } from './parse.ts';
import type { ExecutionRecord, SolanaStore, StoredTransaction } from './store.ts';
import { type ExecutionResult, openSvm, type Svm } from './svm.ts';

/** The result of a send: the transaction is part of the chain, or was refused with an error. */
export type SendResult =
  | ({ readonly kind: 'landed' } & Pick<LandedTransaction, 'signature' | 'slot' | 'error'>)
  | { readonly kind: 'refused'; readonly error: TransactionError; readonly logs: readonly string[] };

/** A stored transaction of the chain, with its writable accounts after the transaction. */
export type LandedTransaction = Omit<ExecutionRecord, 'transaction'> &
  Readonly<Pick<StoredTransaction, 'signature' | 'slot'>> &
  Pick<ExecutionResult, 'error' | 'logs'>;

/** The sandbox's Solana chain. All reads see the last execution. */
export type SolanaChain = Readonly<Awaited<ReturnType<typeof openSolanaChain>>>;

/** The position of an execution: its slot, its time in ISO 8601, and its number. */
type ExecutionPoint = Readonly<Pick<StoredTransaction, 'slot' | 'at' | 'number'>>;

/** Makes the record of an execution. Reads the accounts after it from the runtime. */
const recordOf = (
  svm: Svm,
  transaction: ParsedTransaction,
  { before, execution }: { readonly before: Holdings; readonly execution: ExecutionResult },
  { slot, at, number }: ExecutionPoint,
): ExecutionRecord => {
  const { message, keys, keyBytes } = transaction;
  const writable = keys.filter((_, index) => message.isAccountWritable(index));
  const accounts = writable.flatMap((address) => svm.account(address, keyBytes[keys.indexOf(address)]) ?? []);
  const effects: Effects = {
    before,
    after: holdingsAfter(before, transaction, accounts),
    inner: execution.inner,
    returned: execution.returned,
  };
  const existing = new Set(accounts.map(({ address }) => address));
  return {
    accounts,
    keys,
    gone: writable.filter((address) => !existing.has(address)),
    transaction: {
      signature: transaction.signature,
      slot,
      at,
      bytes: Buffer.from(transaction.bytes),
      error: execution.error === undefined ? null : printJson(execution.error),
      logs: printJson(execution.logs),
      units: execution.units.toString(),
      number,
      effects: JSON.stringify(effects),
    },
  };
};

/** Opens a runtime with the stored accounts, or with those of a new chain. */
const restore = async (store: SolanaStore, nowMs: number): Promise<{ svm: Svm; genesis: number }> => {
  const svm = openSvm();
  const storedGenesis = await store.genesis();
  if (storedGenesis === undefined) await store.begin(nowMs, await genesisAccounts(svm.rent));
  for (const account of await store.accounts()) svm.put(account);
  // Chains of earlier versions do not have the program.
  const lender = await lenderAccount(svm.rent);
  if (svm.account(lender.address) === undefined) svm.put(lender);
  return { svm, genesis: storedGenesis ?? nowMs };
};

/** Removes entries before a slot. The map is in the order of the slots. */
const removeOld = (slots: Map<string, number>, first: number): void => {
  for (const [key, slot] of slots) {
    if (slot >= first) break;
    slots.delete(key);
  }
};

const NOT_STORED = new Failure('sandbox_unavailable', 'the Solana chain could not be stored on the disk', {
  hint: 'Stop the sandbox, then start it again.',
});
const CLOSED = new Failure('sandbox_unavailable', 'the Solana chain was restarted: send the request again');

/** Opens the stored chain, or creates one. Throws `sandbox_unavailable` if litesvm cannot run. */
export const openSolanaChain = async (store: SolanaStore, clock: SandboxClock) => {
  const { svm, genesis } = await restore(store, clock.now());
  const slots = openSlots(clock, genesis, await store.lastSlot());
  const recent = await store.since(slots.now() - BLOCKHASH_SLOTS);
  /** The signatures of recent transactions, and their slots. Repeats of older ones already fail by their blockhash. */
  const seen = new Map(recent.map(({ signature, slot }) => [signature, slot]));
  const commit = groupCommit<ExecutionRecord>(store.append, setImmediate);
  const listeners = new Set<(landed: LandedTransaction) => void>();
  let count = await store.count();
  let refusalOfAll: Failure | undefined;

  /** The error of a transaction that the chain must not execute: an old blockhash, or an earlier execution. */
  const findRefusal = ({ blockhash, signature }: ParsedTransaction) => {
    if (slots.recentSlotOf(blockhash) === undefined) return 'BlockhashNotFound';
    return seen.has(signature) ? 'AlreadyProcessed' : undefined;
  };
  /** After a failed write, the runtime differs from the ledger. So the chain executes nothing until the next start. */
  const storeRecord = async (record: ExecutionRecord): Promise<void> => {
    try {
      await commit.add(record);
    } catch (error) {
      refusalOfAll = NOT_STORED;
      throw error;
    }
  };
  return {
    slots,
    account: (address: string) => svm.account(address),
    ownedBy: svm.ownedBy,
    rent: svm.rent,
    findRefusal,
    find: store.find,
    /** The transactions of an address, newest first. */
    history: store.history,
    /** The number of executed transactions. */
    count: () => count,
    simulate: (transaction: ParsedTransaction, verifySignatures: boolean) =>
      svm.simulate(transaction, slots.now(), clock.now(), verifySignatures),
    /** Executes a transaction. Resolves after its effects are on the disk. Throws `sandbox_unavailable` after a failed write. */
    send: async (transaction: ParsedTransaction): Promise<SendResult> => {
      if (refusalOfAll) throw refusalOfAll;
      const refusal = findRefusal(transaction);
      if (refusal) return { kind: 'refused', error: refusal, logs: [] };
      const [{ signature }, slot] = [transaction, slots.now()];
      const before = svm.holdings(transaction);
      const execution = svm.run(transaction, slot, clock.now());
      if (!execution.hasLanded)
        return { kind: 'refused', error: execution.error ?? 'SanitizeFailure', logs: execution.logs };
      seen.set(signature, slot);
      removeOld(seen, slot - BLOCKHASH_SLOTS);
      count += 1;
      const record = recordOf(svm, transaction, { before, execution }, { slot, at: clock.nowIso(), number: count });
      await storeRecord(record);
      const { accounts, gone, keys } = record;
      const landed = { signature, slot, error: execution.error, logs: execution.logs, keys, accounts, gone };
      for (const listener of listeners) listener(landed);
      return { kind: 'landed', signature, slot, error: execution.error };
    },
    /** Calls `listener` after each stored transaction. Call the returned function to stop. */
    onLanded: (listener: (landed: LandedTransaction) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Executes nothing more. Resolves when all executed transactions are on the disk. */
    close: () => {
      refusalOfAll ??= CLOSED;
      return commit.settled();
    },
  };
};

/**
 * The slots and blockhashes of a chain that started at `genesisMs`. Both are computed from the clock and the start, so they
 * are not stored. `reached` is the slot of the newest stored transaction.
 */
const openSlots = (clock: SandboxClock, genesisMs: number, reached: number) => {
  let latest = reached;
  /** The current slot, which never decreases. It is also the block height, because no slot is skipped. */
  const now = () => {
    latest = Math.max(latest, FIRST_SLOT + Math.floor((clock.now() - genesisMs) / SLOT_MS));
    return latest;
  };
  const blockhashOf = (slot: number) =>
    bs58.encode(createHash('sha256').update(`sandbox of bursar, Solana from ${genesisMs}: slot ${slot}`).digest());
  const recent = new Map<string, number>();
  let filledTo = 0;
  /** The slot of a blockhash that is still valid for a transaction; `undefined` for any other. */
  const recentSlotOf = (blockhash: string) => {
    const last = now();
    const first = last - BLOCKHASH_SLOTS;
    for (let slot = Math.max(first, filledTo + 1); slot <= last; slot += 1) recent.set(blockhashOf(slot), slot);
    filledTo = last;
    removeOld(recent, first);
    return recent.get(blockhash);
  };
  /** The start of a slot, in milliseconds since 1970 by the sandbox's clock. */
  const timeOf = (slot: number) => genesisMs + (slot - FIRST_SLOT) * SLOT_MS;
  /** The newest blockhash, and the last block height at which it is valid. */
  const latestBlockhash = () => {
    const slot = now();
    return { blockhash: blockhashOf(slot), lastValidBlockHeight: slot + BLOCKHASH_SLOTS };
  };
  return { now, blockhashOf, latestBlockhash, timeOf, recentSlotOf };
};
