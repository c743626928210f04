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
import type { ExecutionRecord, KeptTransaction, SolanaStore } from './store.ts';
import { type ExecutionResult, openSvm, type Svm } from './svm.ts';

/** A transaction that became part of the chain, or why it did not. */
export type SendResult =
  | ({ readonly kind: 'landed' } & Pick<LandedTransaction, 'signature' | 'slot' | 'error'>)
  | { readonly kind: 'refused'; readonly error: TransactionError; readonly logs: readonly string[] };

/** A transaction that is part of the chain and kept, and the accounts that it could change, as they were then. */
export type LandedTransaction = Omit<ExecutionRecord, 'transaction'> &
  Readonly<Pick<KeptTransaction, 'signature' | 'slot'>> &
  Pick<ExecutionResult, 'error' | 'logs'>;

/** The sandbox's Solana chain. All reads see the last execution. */
export type SolanaChain = Readonly<Awaited<ReturnType<typeof openSolanaChain>>>;

/** The time of an execution: its slot, and ISO 8601. */
type Moment = Readonly<Pick<KeptTransaction, 'slot' | 'at' | 'number'>>;

const executedBy = (
  svm: Svm,
  transaction: ParsedTransaction,
  { before, ran }: { readonly before: Holdings; readonly ran: ExecutionResult },
  { slot, at, number }: Moment,
): ExecutionRecord => {
  const { message, keys, keyBytes } = transaction;
  const touched = keys.filter((_, index) => message.isAccountWritable(index));
  const accounts = touched.flatMap((address) => svm.account(address, keyBytes[keys.indexOf(address)]) ?? []);
  const effects: Effects = {
    before,
    after: holdingsAfter(before, transaction, accounts),
    inner: ran.inner,
    returned: ran.returned,
  };
  const there = new Set(accounts.map(({ address }) => address));
  return {
    accounts,
    keys,
    gone: touched.filter((address) => !there.has(address)),
    transaction: {
      signature: transaction.signature,
      slot,
      at,
      bytes: Buffer.from(transaction.bytes),
      error: ran.error === undefined ? null : printJson(ran.error),
      logs: printJson(ran.logs),
      units: ran.units.toString(),
      number,
      effects: JSON.stringify(effects),
    },
  };
};

/** The runtime with the chain's accounts: those that are kept, or those of a new chain. */
const restore = async (store: SolanaStore, nowMs: number): Promise<{ svm: Svm; genesis: number }> => {
  const svm = openSvm();
  const kept = await store.genesis();
  if (kept === undefined) await store.begin(nowMs, await genesisAccounts(svm.rent));
  for (const account of await store.accounts()) svm.put(account);
  // A chain that began before there was the program gets it now.
  const lender = await lenderAccount(svm.rent);
  if (svm.account(lender.address) === undefined) svm.put(lender);
  return { svm, genesis: kept ?? nowMs };
};

/** Removes what is from before a slot; the oldest comes first. */
const removeOld = (slots: Map<string, number>, first: number): void => {
  for (const [key, slot] of slots) {
    if (slot >= first) break;
    slots.delete(key);
  }
};

/** Opens the chain as it was left, or begins one. Throws `sandbox_unavailable` where litesvm cannot run. */
export const openSolanaChain = async (store: SolanaStore, clock: SandboxClock) => {
  const { svm, genesis } = await restore(store, clock.now());
  const slots = openSlots(clock, genesis, await store.lastSlot());
  const recent = await store.since(slots.now() - BLOCKHASH_SLOTS);
  /** Signatures that a transaction could still repeat, and their slots; older ones fail by their blockhash. */
  const seen = new Map(recent.map(({ signature, slot }) => [signature, slot]));
  const commit = groupCommit<ExecutionRecord>(store.append, setImmediate);
  const listeners = new Set<(landed: LandedTransaction) => void>();
  let count = await store.count();
  let isBroken = false;

  /** Why a transaction would not even be tried: its blockhash is too old, or it was executed before. */
  const whyNot = ({ blockhash, signature }: ParsedTransaction) => {
    if (slots.recentSlotOf(blockhash) === undefined) return 'BlockhashNotFound';
    return seen.has(signature) ? 'AlreadyProcessed' : undefined;
  };
  /** After a failed write the chain stops until the sandbox starts again: an unstored state must not be built upon. */
  const keep = async (executed: ExecutionRecord): Promise<void> => {
    try {
      await commit.add(executed);
    } catch (error) {
      isBroken = true;
      throw error;
    }
  };
  return {
    slots,
    account: (address: string) => svm.account(address),
    ownedBy: svm.ownedBy,
    rent: svm.rent,
    whyNot,
    find: store.find,
    /** Transactions that name an address, the newest first. */
    history: store.history,
    /** The number of executed transactions. */
    count: () => count,
    simulate: (transaction: ParsedTransaction, verifySignatures: boolean) =>
      svm.simulate(transaction, slots.now(), clock.now(), verifySignatures),
    /** Executes it; resolves when what it did is on the disk. */
    send: async (transaction: ParsedTransaction): Promise<SendResult> => {
      if (isBroken) {
        throw new Failure('sandbox_unavailable', 'the Solana chain could not be kept on the disk', {
          hint: 'Stop the sandbox, then start it again.',
        });
      }
      const refusal = whyNot(transaction);
      if (refusal) return { kind: 'refused', error: refusal, logs: [] };
      const [{ signature }, slot] = [transaction, slots.now()];
      const before = svm.holdings(transaction);
      const ran = svm.run(transaction, slot, clock.now());
      if (!ran.hasLanded) return { kind: 'refused', error: ran.error ?? 'SanitizeFailure', logs: ran.logs };
      seen.set(signature, slot);
      removeOld(seen, slot - BLOCKHASH_SLOTS);
      count += 1;
      const executed = executedBy(svm, transaction, { before, ran }, { slot, at: clock.nowIso(), number: count });
      await keep(executed);
      const { accounts, gone, keys } = executed;
      const landed = { signature, slot, error: ran.error, logs: ran.logs, keys, accounts, gone };
      for (const listener of listeners) listener(landed);
      return { kind: 'landed', signature, slot, error: ran.error };
    },
    onLanded: (listener: (landed: LandedTransaction) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Resolves when everything that was executed is on the disk. */
    settled: commit.settled,
  };
};

/**
 * Slots and blockhashes of a chain that began at `genesisMs`; `reached` is the latest slot that it is known to have had.
 * Both follow from the clock and the chain's beginning, so neither is kept.
 */
const openSlots = (clock: SandboxClock, genesisMs: number, reached: number) => {
  let latest = reached;
  /** The slot of now; it is the block height as well, since no slot is skipped. Never goes back. */
  const now = () => {
    latest = Math.max(latest, FIRST_SLOT + Math.floor((clock.now() - genesisMs) / SLOT_MS));
    return latest;
  };
  const blockhashOf = (slot: number) =>
    bs58.encode(createHash('sha256').update(`sandbox of bursar, Solana from ${genesisMs}: slot ${slot}`).digest());
  const recent = new Map<string, number>();
  let filledTo = 0;
  /** The slot of a blockhash with which a transaction may still be sent. */
  const recentSlotOf = (blockhash: string) => {
    const last = now();
    const first = last - BLOCKHASH_SLOTS;
    for (let slot = Math.max(first, filledTo + 1); slot <= last; slot += 1) recent.set(blockhashOf(slot), slot);
    filledTo = last;
    removeOld(recent, first);
    return recent.get(blockhash);
  };
  /** When a slot began, in milliseconds since 1970 by the sandbox's clock. */
  const timeOf = (slot: number) => genesisMs + (slot - FIRST_SLOT) * SLOT_MS;
  /** The newest blockhash, and the last block height at which it may be used. */
  const latestBlockhash = () => {
    const slot = now();
    return { blockhash: blockhashOf(slot), lastValidBlockHeight: slot + BLOCKHASH_SLOTS };
  };
  return { now, blockhashOf, latestBlockhash, timeOf, recentSlotOf };
};
