import type { Io } from '../io/io.ts';
import { FURTHEST_OFFSET_MS } from './assumptions.ts';
import { type SandboxClock, sandboxClock } from './clock.ts';
import type { Ledger } from './ledger/ledger.ts';
import { readClockOffset, writeClockOffset } from './ledger/settings.ts';

/** The sandbox's clock, and how it is set. */
export type OpenClock = {
  readonly clock: SandboxClock;
  /** Goes on from the offset that a ledger keeps. */
  readonly restore: (ledger: Ledger) => Promise<void>;
  /** Moves the time forward, and keeps that; `false`, and nothing moved, where it would be too far. */
  readonly advance: (ledger: Ledger, milliseconds: number) => Promise<boolean>;
  /** Back to the machine's time. */
  readonly reset: () => void;
};

/** Opens the clock at the machine's time. */
export const openClock = (io: Io): OpenClock => {
  let offset = 0;
  return {
    clock: sandboxClock(io, () => offset),
    restore: async (ledger) => {
      offset = await readClockOffset(ledger);
    },
    advance: async (ledger, milliseconds) => {
      if (offset + milliseconds > FURTHEST_OFFSET_MS) return false;
      offset += milliseconds;
      await writeClockOffset(ledger, offset);
      return true;
    },
    reset: () => {
      offset = 0;
    },
  };
};
