import type { ClaimResult } from '../io/files/claim.ts';

/** The whole lines of an operation. `isTorn`: a half-written line follows. */
export type StoredLines = { readonly lines: readonly string[]; readonly isTorn: boolean };

/** Operation ids, newest first, and those that a process may be working on. */
export type Contents = { readonly ids: readonly string[]; readonly claimed: ReadonlySet<string> };

/** The index entry of an ended operation: its id and its keys, each between spaces. */
export type IndexEntry = { readonly id: string; readonly keys: string };

/** What changed in the journal since the last call. */
export type StoreChanges = {
  /** All operation ids, newest first, if they were listed. */
  readonly listed: readonly string[] | undefined;
  /** The operations that a process claimed since the last call, and those that one may be working on. */
  readonly changed: readonly string[];
  readonly claimed: readonly string[];
  /** The claimed operations that only this process has claimed. */
  readonly own: readonly string[];
  /** No change was missed since the last call: an id that is neither known nor in `changed` was never claimed. */
  readonly isWhole: boolean;
};

/** How an operation is found, after an event. */
export type Indexed = {
  readonly keys: string;
  /** It can no longer change, and is not in doubt. */
  readonly hasEnded: boolean;
  /** The user's name for it, with the service. No other operation that may have moved something has it. */
  readonly name?: string | undefined;
  /** What its starter has claimed. */
  readonly subject?: Subject | undefined;
};

/** An operation that a store found by its keys. */
export type FoundOperation = IndexEntry & Pick<Indexed, 'hasEnded'>;

/** The newest operations that a look-up returns: at most so many, and only those older than one. */
export type Page = { readonly before?: string | undefined; readonly most: number };

/** The operations that change, from some time on. Only the store reads a mark. */
export type Mark = string;

/** The look-ups of a store that keeps an index of all operations. All that was appended before a call is in it. */
export type KeySearch = {
  readonly by: 'keys';
  /** A page of the operations with any of the keys, newest first. `next`: where the next page starts, if there is one. */
  readonly under: (
    keys: readonly string[],
    page: Page,
  ) => Promise<{ readonly found: readonly FoundOperation[]; readonly next: string | undefined }>;
  /** Operations that have not ended, newest first; those of one key, if it is given. */
  readonly open: (key?: string) => Promise<readonly string[]>;
  /** All that have not ended, and the others that changed since a time, newest first. Those of one key, if it is given. */
  readonly since: (time: number, key?: string) => Promise<readonly string[]>;
  /** A mark of now, and the operations that changed since an earlier mark. Those of one key, if it is given. */
  readonly changedSince: (
    mark?: Mark,
    key?: string,
  ) => Promise<{ readonly ids: readonly string[]; readonly mark: Mark }>;
  readonly isEmpty: () => Promise<boolean>;
};

/** The sources of the view that a process keeps of a journal without an index of all operations. */
export type ViewSource = {
  readonly by: 'view';
  /** For one reader in a process. All that was appended before the call is in it. `isFirst`: the ids are listed. */
  readonly changes: (isFirst: boolean) => Promise<StoreChanges>;
  /** Reports an operation that no change announced: from now on each call lists the ids. */
  readonly noteStranger: () => void;
  /** A cache of the keys of ended operations. It is rebuilt from their lines when it is lost. */
  readonly index: {
    /** The keys of operations, by their ids. */
    readonly read: () => Promise<ReadonlyMap<string, string>>;
    readonly add: (entries: readonly IndexEntry[]) => Promise<void>;
    /** Deletes the index because it contradicts the operations. */
    readonly drop: () => Promise<void>;
  };
};

/** A line, and how its operation is found after it. */
export type CheckedLine = { readonly line: string; readonly indexed: () => Indexed };

/**
 * What a check is about. `isAlone`: no other operation of the same lock appends meanwhile, so that none of those that the
 * check sees is about to withdraw.
 */
export type Lock = { readonly lock: string; readonly check: (isAlone: boolean) => Promise<void> };

/** A claimable subject: an operation, an intent or idempotency key, a wallet, or the wallet of a worker. */
export type Subject = { readonly of: 'operation' | 'intent' | 'wallet' | 'worker'; readonly name: string };

/**
 * The storage of the journal: operations, inputs and claims. The default is a folder of files. Only the store uses
 * paths; `where` is a name for messages.
 */
export type Store = {
  /** `folder`, or the id of a journal in a database. */
  readonly id: string;
  /** This home has no key of it: it may be listed, and nothing is started or resumed. */
  readonly isReadOnly: boolean;
  readonly where: (id: string) => string;
  readonly list: () => Promise<Contents>;
  /** How operations are found: by the store itself, or through a view that the process keeps. */
  readonly search: KeySearch | ViewSource;
  /** The time of the journal, in milliseconds since 1970: days and the order of operations follow it. */
  readonly now: () => Promise<number>;
  /** `undefined` when there is none. */
  readonly read: (id: string) => Promise<StoredLines | undefined>;
  /** Appends a line, and resolves when it is on the disk. Throws `journal_unwritable`. */
  readonly append: (id: string, line: string, indexed: () => Indexed) => Promise<void>;
  /**
   * Appends lines if a check passes, while no other operation appends under the same lock. A store without it appends,
   * and checks then: each process sees the entries of the others. Throws what the check throws.
   */
  readonly appendChecked?: (id: string, lines: readonly CheckedLine[], of: Lock) => Promise<void>;
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
  /** The summaries of ended operations, in the format of their writer: a cache. */
  readonly summaries: {
    readonly read: () => Promise<string>;
    readonly add: (text: string) => Promise<void>;
  };
  /**
   * Removes what killed processes left. `needs` returns whether an operation needs its inputs (`inputs`), only its
   * lines (`lines`), or has no whole line (`nothing`). A failed removal is repeated later. In one process at most once a
   * minute: it lists the whole journal. Throws `bad_settings` in a home that may only list.
   */
  readonly cleanUp: (needs: (id: string) => Promise<'inputs' | 'lines' | 'nothing'>) => Promise<void>;
};
