import type { FoundOperation, KeySearch, Page } from '../store.ts';

/** An entry as it is written. Its `id` is made by the writer, so that a lost answer can be resolved. */
export type NewEntry = {
  readonly operation: string;
  /** Counts the entries of an operation from 1. */
  readonly seq: number;
  /** The epoch of the writer's lease of the operation. */
  readonly epoch: number;
  readonly id: string;
  readonly line: string;
  /** The MAC of the line under the journal key. */
  readonly mac: string;
  /** New hashed keys, by which the operation is found from now on. */
  readonly keys: readonly string[];
  /** The head of the operation from this entry on, sealed: its keys, its end, and the number of its last entry. */
  readonly head: string;
  readonly hasEnded: boolean;
  /** It moved nothing, so that its name may start another one. */
  readonly movedNothing: boolean;
  /** The hash of the user's name for the operation, with the first entry. */
  readonly name?: string | undefined;
  /** Further leases that the writer must hold. */
  readonly under: readonly HeldLease[];
};

/** Names an entry in the database. */
export type EntryName = Pick<NewEntry, 'operation' | 'id'>;

/** An entry that was read, with the time of the server, in milliseconds since 1970. */
export type SeenEntry = EntryName & { readonly at: number };

/** A stored entry. `at` is the time of the server, in milliseconds since 1970. */
export type StoredEntry = Pick<NewEntry, 'seq' | 'id' | 'line' | 'mac'> & {
  readonly at: number;
  /** The sealed head of the operation, with its last entry. */
  readonly head?: string | undefined;
};

/** A lease and the number of its holder. */
export type HeldLease = { readonly subject: string; readonly epoch: number };

/** An attempt to take a lease. `dead`: a holder that certainly runs no more. `mayBeOver`: also from a holder whose time is over. */
export type Taking = {
  readonly subject: string;
  readonly owner: string;
  readonly dead?: string | undefined;
  readonly mayBeOver?: boolean;
};

/**
 * The result of an attempt. Taken: `waitMs` is the time until no call of an earlier holder is under way. Otherwise the
 * holder, and the time that is left to it.
 */
export type Taken =
  | { readonly epoch: number; readonly waitMs: number }
  | { readonly owner: string; readonly leftMs: number };

/** What a database says about its journal. */
export type JournalFacts = {
  readonly id: string;
  /** The proof of the key, as `JournalKey.check`. */
  readonly check: string;
  /** How long a lease lasts without a renewal, in milliseconds. */
  readonly leaseMs: number;
  /** The sealed secret of payers of an earlier journal, if one moved here. */
  readonly payerSecret?: string | undefined;
  /** What the user should know about the server, as whole sentences. */
  readonly warnings: readonly string[];
};

/** Why the database refused an entry. */
export type Refused = 'stale' | 'name_taken' | 'other_version';

/** An error of the database about an entry. Nothing was written. */
export class EntryRefused extends Error {
  readonly reason: Refused;
  constructor(reason: Refused) {
    super(reason);
    this.reason = reason;
  }
}

/** The connection broke, or the server does not answer. A write may have happened. */
export class ConnectionLost extends Error {}

/**
 * The journal in a database. Each write is one transaction, and is committed when it resolves. Times are those of the
 * server. Its look-ups are those of a store, with hashed keys; `keys` of what `under` finds is the sealed head. Each function
 * throws `ConnectionLost` without an answer.
 */
export type JournalDatabase = Omit<KeySearch, 'by' | 'under'> & {
  /** A page of the operations with any of the keys, newest first. Fewer than `most` are the last. */
  readonly under: (keys: readonly string[], page: Page) => Promise<readonly FoundOperation[]>;
  /** How messages name it, without a password. */
  readonly where: string;
  readonly facts: () => Promise<JournalFacts>;
  readonly now: () => Promise<number>;
  readonly take: (taking: Taking) => Promise<Taken>;
  /** Extends some leases of an owner. Returns those that it still holds. */
  readonly renew: (owner: string, subjects: readonly string[]) => Promise<readonly HeldLease[]>;
  readonly release: (lease: HeldLease) => Promise<void>;
  /** Throws `EntryRefused` when a lease was lost, or the name is taken. */
  readonly append: (entry: NewEntry) => Promise<void>;
  /** Appends entries in one transaction, under a lock by name, if the check does not throw. Throws as `append`. */
  readonly appendChecked: (entries: readonly NewEntry[], lock: string, check: () => Promise<void>) => Promise<void>;
  /** Whether an entry was committed. A transaction under way on its operation ends first. */
  readonly hasEntry: (entry: EntryName) => Promise<boolean>;
  /** Those of some entries that are not there, except those of operations that were removed on purpose. */
  readonly missingOf: (entries: readonly EntryName[]) => Promise<readonly EntryName[]>;
  /** The last entry of the operation that changed last. */
  readonly newest: () => Promise<SeenEntry | undefined>;
  /** The entries of operations, in order. Of an operation without an entry an empty list. */
  readonly read: (operations: readonly string[]) => Promise<ReadonlyMap<string, readonly StoredEntry[]>>;
  /** Operation ids, newest first. */
  readonly list: () => Promise<readonly string[]>;
  readonly readInputs: (operation: string) => Promise<string | undefined>;
  readonly writeInputs: (operation: string, sealed: string) => Promise<void>;
  readonly removeInputs: (operation: string) => Promise<void>;
  /** Removes the inputs of operations that have ended, or never began. */
  readonly removeOldInputs: () => Promise<void>;
  /** Removes the entries of an operation under its lease, and keeps its id and its name. Throws `EntryRefused`. */
  readonly remove: (operation: string, lease: HeldLease) => Promise<void>;
};
