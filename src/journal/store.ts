import type { ClaimResult } from '../io/files/claim.ts';

/** The whole lines of an operation. `isTorn`: a half-written line follows. */
export type StoredLines = { readonly lines: readonly string[]; readonly isTorn: boolean };

/** Operation ids, newest first, and those that a process may be working on. */
export type Contents = { readonly ids: readonly string[]; readonly claimed: ReadonlySet<string> };

/** The index entry of an ended operation: its id and its keys, each between spaces. */
export type IndexEntry = { readonly id: string; readonly keys: string };

/** A look-up result: matching index entries, and all operations without an entry, newest first. */
export type IndexMatches = { readonly indexed: readonly IndexEntry[]; readonly others: readonly string[] } & Pick<
  Contents,
  'claimed'
>;

/** A claimable subject: an operation, an intent or idempotency key, or a wallet. */
export type Subject = { readonly of: 'operation' | 'intent' | 'wallet'; readonly name: string };

/**
 * The storage of the journal: operations, inputs, claims, and the index. The default is a folder of files. Only the
 * store uses paths; `where` is a name for messages.
 */
export type Store = {
  readonly where: (id: string) => string;
  readonly list: () => Promise<Contents>;
  /** `undefined` when there is none. */
  readonly read: (id: string) => Promise<StoredLines | undefined>;
  /** Appends a line, and resolves when it is on the disk. Throws `journal_unwritable`. */
  readonly append: (id: string, line: string) => Promise<void>;
  /** Removes a half-written line. Throws `journal_unwritable`. */
  readonly removeTornLine: (id: string) => Promise<void>;
  /** Removes an operation. Throws `journal_unwritable`. */
  readonly remove: (id: string) => Promise<void>;
  /** When it was last written to, in milliseconds since 1970. */
  readonly changedAt: (id: string) => Promise<number>;
  /** Claims a subject, or returns its holder after the timeout. Throws `journal_unwritable`. */
  readonly claim: (subject: Subject, patienceMs: number) => Promise<ClaimResult>;
  readonly inputs: {
    readonly read: (id: string) => Promise<Uint8Array | undefined>;
    /** Private and durable. Throws `journal_unwritable`. */
    readonly write: (id: string, text: string) => Promise<void>;
    readonly remove: (id: string) => Promise<void>;
  };
  /** The secret that hashes payers. `create` keeps an existing secret. */
  readonly secret: {
    readonly where: string;
    readonly read: () => Promise<Uint8Array | undefined>;
    /** Private and durable. Throws `journal_unwritable`. */
    readonly create: (text: string) => Promise<void>;
  };
  /** A cache of ended operations. It is rebuilt from their lines when it is lost. */
  readonly index: {
    /** Finds operations with any of the keys, without reading them. */
    readonly find: (keys: readonly string[]) => Promise<IndexMatches>;
    readonly add: (entries: readonly IndexEntry[]) => Promise<void>;
    /** Deletes the index because it contradicts the operations. */
    readonly drop: () => Promise<void>;
    /** The summaries of ended operations, in the format of their writer. */
    readonly summaries: () => Promise<string>;
    readonly addSummaries: (text: string) => Promise<void>;
  };
  /**
   * Removes what killed processes left. `needs` returns whether an operation needs its inputs (`inputs`), only its
   * lines (`lines`), or has no whole line (`nothing`). A failed removal is repeated later.
   */
  readonly cleanUp: (needs: (id: string) => Promise<'inputs' | 'lines' | 'nothing'>) => Promise<void>;
};
