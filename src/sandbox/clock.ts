import { SPAN } from '../contract/control/process.ts';
import type { Io } from '../io/io.ts';
import { FURTHEST_OFFSET_MS } from './assumptions.ts';
import type { Ledger } from './ledger/ledger.ts';
import { readClockOffset, writeClockOffset } from './ledger/settings.ts';

/** The sandbox's time: the machine's time plus an offset that the ledger stores. */
export type SandboxClock = Readonly<ReturnType<typeof openClock>['clock']>;

/** Opens the sandbox's clock at the machine's time. */
export const openClock = (io: Io) => {
  let offset = 0;
  /** Milliseconds since 1970. */
  const now = () => io.clock.now() + offset;
  return {
    clock: {
      now,
      /** ISO 8601, in UTC. */
      nowIso: () => new Date(now()).toISOString(),
      /** Milliseconds by which this clock is ahead of the machine's. */
      offset: () => offset,
    },
    /** Sets the offset that a ledger stores. */
    restore: async (ledger: Ledger) => {
      offset = await readClockOffset(ledger);
    },
    /** Moves the time forward and stores the offset. `false` beyond the limit; then nothing changes. */
    advance: async (ledger: Ledger, milliseconds: number) => {
      if (offset + milliseconds > FURTHEST_OFFSET_MS) return false;
      offset += milliseconds;
      await writeClockOffset(ledger, offset);
      return true;
    },
    /** Sets the clock to the machine's time. The ledger is unchanged. */
    reset: () => {
      offset = 0;
    },
  };
};

/** The sandbox's time in the format of an HTTP date. */
export const httpDate = (clock: SandboxClock): string => new Date(clock.now()).toUTCString();

const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1000] as const;

/** The milliseconds of a span of time; 0 for other text. */
export const readSpan = (text: string): number => {
  const parts = SPAN.exec(text)?.slice(1) ?? [];
  return UNITS_MS.reduce((sum, unit, at) => sum + unit * Number(parts[at] ?? 0), 0);
};
