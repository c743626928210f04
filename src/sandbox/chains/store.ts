import type { Made } from './changes.ts';

/** What is kept of a chain: its whole state at some moment, and each change made since then, in order. */
export type Kept = {
  /** A state as anvil dumps it, in hex; without one the changes begin at a new chain. */
  readonly state: string | undefined;
  readonly changes: readonly Made[];
  /** The last writer ended in the middle of a change, which was therefore never answered for. */
  readonly isTorn: boolean;
};

/** Where a chain is kept. */
export type Store = {
  /** Throws `sandbox_unavailable` naming the file when something is damaged; nothing is changed then. */
  readonly load: () => Promise<Kept>;
  readonly append: (changes: readonly Made[]) => Promise<void>;
  /** Replaces the state and forgets the changes, which it contains, in one step. */
  readonly replace: (state: string) => Promise<void>;
  /** Forgets the chain. */
  readonly clear: () => Promise<void>;
  /** For messages: the file that holds the state. */
  readonly place: string;
};

/** Keeps a chain in memory: it outlives its node, not the server. */
export const memoryStore = (): Store => {
  let state: string | undefined;
  let changes: readonly Made[] = [];
  return {
    load: async () => ({ state, changes, isTorn: false }),
    append: async (made) => {
      changes = [...changes, ...made];
    },
    replace: async (dumped) => {
      state = dumped;
      changes = [];
    },
    clear: async () => {
      state = undefined;
      changes = [];
    },
    place: 'in memory',
  };
};
