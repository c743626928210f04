import bs58 from 'bs58';
import type { Decider } from './decisions.ts';
import { type Accounts, FIRST_ACCOUNTS } from './solana-accounts.ts';
import { execute, type Leg, legsOf, readSolana, type SolanaTransaction } from './solana-runtime.ts';

export const SLOT_MS = 400;

/** The slot at virtual time 0. The chain is thirty days older than the life. No slot is skipped. */
const FIRST_SLOT = (30 * 24 * 60 * 60_000) / SLOT_MS;

/** A transaction can land this many slots after the block of its blockhash. */
const BLOCKHASH_SLOTS = 150;

/** The depths at which a block is confirmed and final. */
const CONFIRMED_DEPTH = 2;
const FINAL_DEPTH = 32;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

const DEPTHS: Readonly<Record<Commitment, number>> = {
  processed: 0,
  confirmed: CONFIRMED_DEPTH,
  finalized: FINAL_DEPTH,
};

/** The blockhash of a slot. It contains the slot number, so that no list of blockhashes is needed. */
export const blockhashOf = (slot: number): string => {
  const bytes = Buffer.alloc(32, 0xb1);
  bytes.writeBigUInt64BE(BigInt(slot), 24);
  return bs58.encode(bytes);
};

/** The slot of a blockhash; -1 if no block of this chain has the blockhash. */
export const slotOfBlockhash = (blockhash: string): number => {
  const bytes = Buffer.from(bs58.decodeUnsafe(blockhash) ?? []);
  const slot = bytes.length === 32 ? Number(bytes.readBigUInt64BE(24)) : -1;
  return blockhashOf(Math.max(0, slot)) === blockhash ? slot : -1;
};

export type LandedTransaction = {
  readonly sent: SolanaTransaction;
  readonly slot: number;
  readonly error: object | undefined;
};

/** One leg of a transaction that took effect. */
export type SolanaEffect = Leg & { readonly hash: string };

/** Faults at a transaction are more important than at most events. */
const TRANSACTION_WEIGHT = 60;

/** The longest delay of a transaction in the pool. A blockhash expires after a minute. */
const MAX_DELAY_MS = 90_000;

type SolanaOptions = {
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  readonly ask: Decider['ask'];
  readonly log: (line: string) => void;
};

/**
 * A Solana chain with a pool, blocks by time, transactions that are dropped, late or failed, and forks that are abandoned
 * before they are confirmed. The accounts follow from the landed transactions. Empty blocks take no memory.
 */
export const newSolanaChain = ({ now, at, ask, log }: SolanaOptions) => {
  const landed: LandedTransaction[] = [];
  const pool = new Set<string>();
  let count = 0;
  const headAt = (time: number): number => FIRST_SLOT + Math.floor(time / SLOT_MS);
  const accountsAt = (slot: number): Accounts =>
    landed.reduce<Accounts>(
      (accounts, { sent, slot: own, error }) => (own > slot || error ? accounts : execute(accounts, sent).accounts),
      FIRST_ACCOUNTS,
    );
  const isAlive = (blockhash: string, slot: number): boolean => {
    const own = slotOfBlockhash(blockhash);
    return own >= 0 && own <= slot && slot - own <= BLOCKHASH_SLOTS;
  };
  const find = (hash: string): LandedTransaction | undefined => landed.find((entry) => entry.sent.hash === hash);
  const shortHash = ({ hash }: SolanaTransaction): string => hash.slice(0, 10);

  const landAfter = (milliseconds: number, sent: SolanaTransaction, willFail = false, isForked = false): void => {
    const time = (Math.floor((now() + milliseconds) / SLOT_MS) + 1) * SLOT_MS;
    at(time, () => land(sent, willFail, isForked));
  };
  const land = (sent: SolanaTransaction, willFail: boolean, isForked: boolean): void => {
    pool.delete(sent.hash);
    if (find(sent.hash)) return;
    const slot = headAt(now());
    if (!isAlive(sent.blockhash, slot)) {
      log(`Solana drops ${shortHash(sent)}: its blockhash has expired`);
      return;
    }
    const error = willFail ? { InstructionError: [2, { Custom: 6001 }] } : execute(accountsAt(slot), sent).error;
    const entry = { sent, slot, error };
    landed.push(entry);
    log(`Solana includes ${shortHash(sent)}${error ? ', failed' : ''}${isForked ? ', in a fork' : ''}`);
    if (!isForked) return;
    // The fork is abandoned before it is confirmed. A later leader may include the transaction.
    at(now() + SLOT_MS, () => {
      landed.splice(landed.indexOf(entry), 1);
      log(`Solana abandons the fork with ${shortHash(sent)}`);
      pool.add(sent.hash);
      landAfter((slot % 5) * 20_000, sent);
    });
  };
  /** Adds bytes to the pool once. A decision can drop, delay, fork or fail the transaction. */
  const accept = (raw: string): SolanaTransaction => {
    const sent = readSolana(raw);
    if (pool.has(sent.hash) || find(sent.hash)) return sent;
    count += 1;
    log(`the leader receives ${shortHash(sent)}`);
    const decision = ask(
      `Solana: transaction ${count}`,
      ['drop', 'late effect', 'reorganise', 'fail'],
      TRANSACTION_WEIGHT,
    );
    if (decision) log(`Solana: transaction ${count}: ${decision.action}`);
    if (decision?.action === 'drop') return sent;
    pool.add(sent.hash);
    const late = decision?.action === 'late effect' ? decision.size * MAX_DELAY_MS : 0;
    landAfter(late, sent, decision?.action === 'fail', decision?.action === 'reorganise');
    return sent;
  };

  return {
    headAt,
    bankAt: (time: number, commitment: Commitment): number => headAt(time) - DEPTHS[commitment],
    timeOf: (slot: number): number => (slot - FIRST_SLOT) * SLOT_MS,
    accountsAt,
    isAlive,
    accept,
    /** The status of a transaction at a node that has the blocks up to a slot. */
    statusAt: (slot: number, hash: string): (LandedTransaction & { readonly commitment: Commitment }) | undefined => {
      const found = find(hash);
      if (!found || found.slot > slot) return undefined;
      const depth = slot - found.slot;
      const reached = (['finalized', 'confirmed', 'processed'] as const).find(
        (commitment) => depth >= DEPTHS[commitment],
      );
      return { ...found, commitment: reached ?? 'processed' };
    },
    effects: (): readonly SolanaEffect[] => {
      const effects: SolanaEffect[] = [];
      let accounts = FIRST_ACCOUNTS;
      for (const { sent, error } of landed) {
        if (error) continue;
        const after = execute(accounts, sent).accounts;
        effects.push(...legsOf(accounts, after).map((leg) => ({ ...leg, hash: sent.hash })));
        accounts = after;
      }
      return effects;
    },
    landedCount: () => landed.length,
    hasLanded: (hash: string): boolean => find(hash)?.error === undefined && find(hash) !== undefined,
    /** The legs of a transaction on the first accounts, which have enough funds. */
    legsOf: (sent: SolanaTransaction): readonly Leg[] => legsOf(FIRST_ACCOUNTS, execute(FIRST_ACCOUNTS, sent).accounts),
    /** Whether bytes can never take effect: they failed, or their blockhash expired in the final blocks. */
    isDead: ({ hash, blockhash }: Pick<SolanaTransaction, 'hash' | 'blockhash'>): boolean => {
      const found = find(hash);
      if (found) return found.error !== undefined && headAt(now()) - found.slot >= CONFIRMED_DEPTH;
      const own = slotOfBlockhash(blockhash);
      return own < 0 || headAt(now()) - FINAL_DEPTH - own > BLOCKHASH_SLOTS;
    },
  };
};

export type SolanaChain = ReturnType<typeof newSolanaChain>;
