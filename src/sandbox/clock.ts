import { SPAN } from '../contract/control/process.ts';
import type { Io } from '../io/io.ts';

/** The sandbox's own time: the real one plus an offset that the ledger keeps. */
export type SandboxClock = Readonly<ReturnType<typeof sandboxClock>>;

/** A clock that runs `offset()` milliseconds ahead of the machine's. */
export const sandboxClock = (io: Io, offset: () => number) => {
  /** Milliseconds since 1970. */
  const now = () => io.clock.now() + offset();
  /** ISO 8601, in UTC. */
  const nowIso = () => new Date(now()).toISOString();
  return { now, nowIso, offset };
};

/** The time as HTTP writes it. */
export const httpDate = (clock: SandboxClock): string => new Date(clock.now()).toUTCString();

const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1000] as const;

/** The milliseconds of a span of time; 0 for other text. */
export const readSpan = (text: string): number => {
  const parts = SPAN.exec(text)?.slice(1) ?? [];
  return UNITS_MS.reduce((sum, unit, at) => sum + unit * Number(parts[at] ?? 0), 0);
};
