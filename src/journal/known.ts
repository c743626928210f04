import type { OperationState } from './operation-state.ts';
import type { Line } from './read.ts';
import { stateOf } from './state.ts';

/** What the process that works on a movement knows of it without asking the disk. */
export type Known = {
  /** Writes an entry, which counts from the beginning: what a slow disk is at may be on it. What fails never counted. */
  readonly writing: (line: Line, write: () => Promise<void>) => Promise<void>;
  readonly state: () => OperationState;
};

/** Begins with the entries that are on the disk. */
export const knownFrom = (id: string, read: readonly Line[]): Known => {
  let lines = read;
  return {
    writing: async (line, write) => {
      lines = [...lines, line];
      try {
        await write();
      } catch (error) {
        lines = lines.filter((each) => each !== line);
        throw error;
      }
    },
    state: () => stateOf({ id, lines }),
  };
};
