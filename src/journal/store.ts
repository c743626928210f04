import type { ClaimResult } from '../io/files/claim.ts';

/** The whole lines of an operation. `isTorn`: a crash left half a line after them. */
export type Stored = { readonly lines: readonly string[]; readonly isTorn: boolean };

/** Ids of operations, the newest first, and those that a process may be at work on. */
export type Contents = { readonly ids: readonly string[]; readonly claimed: ReadonlySet<string> };

/** What look-ups need of an operation that has ended: its id, and the keys that it is found by, each between spaces. */
export type Indexed = { readonly id: string; readonly keys: string };

/** Whether keys have one of them. */
export const hasKey = (keys: string, key: string): boolean => keys.includes(` ${key} `);

/** What a look-up finds: those of the index that have a key, and all that the index does not have, the newest first. */
export type Found = { readonly indexed: readonly Indexed[]; readonly others: readonly string[] } & Pick<
  Contents,
  'claimed'
>;

/** What one process at a time may have: an operation, what an intent or its name stands for, or the turn of a wallet. */
export type Subject = { readonly of: 'operation' | 'intent' | 'wallet'; readonly name: string };

/**
 * Where the journal lies: lines of operations, their inputs, claims, and the index of what has ended. The default is a
 * folder of files. Nothing above it knows a path; `where` is a name for messages.
 */
export type Store = {
  readonly where: (id: string) => string;
  readonly list: () => Promise<Contents>;
  /** `undefined` when there is none. */
  readonly read: (id: string) => Promise<Stored | undefined>;
  /** Appends a line, and resolves when it is on the disk. Throws `journal_unwritable`. */
  readonly append: (id: string, line: string) => Promise<void>;
  /** Takes away the half line that a crash left. */
  readonly mend: (id: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** When it was last written to, in milliseconds since 1970. */
  readonly changedAt: (id: string) => Promise<number>;
  /** Claims a subject, or gives who has it after the time. Throws `journal_unwritable`. */
  readonly claim: (subject: Subject, patienceMs: number) => Promise<ClaimResult>;
  readonly inputs: {
    readonly read: (id: string) => Promise<Uint8Array | undefined>;
    /** Private and durable. Throws `journal_unwritable`. */
    readonly write: (id: string, text: string) => Promise<void>;
    readonly remove: (id: string) => Promise<void>;
  };
  /** A secret of this journal, by which payers are recognised. `create` leaves one that is there as it is. */
  readonly secret: {
    readonly where: string;
    readonly read: () => Promise<Uint8Array | undefined>;
    /** Private and durable. Throws `journal_unwritable`. */
    readonly create: (text: string) => Promise<void>;
  };
  /** A cache of operations that have ended: derived from their lines, and rebuilt from them when it is lost. */
  readonly index: {
    /** Operations with any of the keys. Reads no operation. */
    readonly find: (keys: readonly string[]) => Promise<Found>;
    readonly add: (entries: readonly Indexed[]) => Promise<void>;
    /** Forgets all of it: it does not agree with the operations. */
    readonly drop: () => Promise<void>;
    /** What lists show of operations that have ended, as text that only its writer reads. */
    readonly summaries: () => Promise<string>;
    readonly addSummaries: (text: string) => Promise<void>;
  };
  /**
   * Takes away what killed processes left. `needs` says whether an operation needs its inputs (`inputs`), nothing beside
   * its lines (`lines`), or has no whole line (`nothing`). What fails is left for the next time.
   */
  readonly cleanUp: (needs: (id: string) => Promise<'inputs' | 'lines' | 'nothing'>) => Promise<void>;
};
