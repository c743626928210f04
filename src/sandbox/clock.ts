import type { Io } from '../io/io.ts';

/** The sandbox's own time: the real one plus an offset that the ledger keeps. */
export type SandboxClock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** ISO 8601, in UTC. */
  readonly nowIso: () => string;
};

/** A clock that runs `offset()` milliseconds ahead of the machine's. */
export const sandboxClock = (io: Io, offset: () => number): SandboxClock => {
  const now = () => io.clock.now() + offset();
  return { now, nowIso: () => new Date(now()).toISOString() };
};
