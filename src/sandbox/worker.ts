import type { Io } from '../io/io.ts';
import { describeError, log } from './log.ts';

/** A background worker. */
export type Worker = {
  /** Wakes the worker, because there may be work. */
  readonly nudge: () => void;
  /** Resolves when no work for another program is in progress, or after a short time. */
  readonly drain?: () => Promise<void>;
  /** Starts no more work. Resolves when the current work has ended. */
  readonly stop: () => Promise<void>;
};

/** Does the due work. Resolves with the milliseconds until the next work is due; `undefined` means after a nudge only. */
export type Work = () => Promise<number | undefined>;

/** A worker that waits for a time checks again at least this often, because the sandbox's clock can move. */
const CHECK_EVERY_MS = 500;
const AFTER_FAULT_MS = 2_000;
const LONG_MS = 2 ** 30;
/** The nudges of this time start the work once. Under load hundreds of nudges come. */
const GATHER_MS = 20;

/** Runs work repeatedly: after a nudge, and when more is due. A failure goes to the log, and the work runs again. */
export const startWorker = (io: Io, name: string, work: Work): Worker => {
  let wakeUp = new AbortController();
  let isStopped = false;
  const once = async (): Promise<number> => {
    try {
      const next = await work();
      return next === undefined ? LONG_MS : Math.min(next, CHECK_EVERY_MS);
    } catch (error) {
      await log(io, `${name} failed: ${describeError(error)}`);
      return AFTER_FAULT_MS;
    }
  };
  const stopping = new AbortController();
  const pause = (milliseconds: number, signal: AbortSignal) =>
    io.clock.sleep(milliseconds, signal).catch(() => undefined);
  const run = async (): Promise<void> => {
    for (;;) {
      await pause(GATHER_MS, stopping.signal);
      if (isStopped) return;
      // A nudge during the work must end the next pause, so the signal is made before the work.
      wakeUp = new AbortController();
      const { signal } = wakeUp;
      await pause(await once(), signal);
    }
  };
  const running = run();
  return {
    nudge: () => wakeUp.abort(),
    stop: () => {
      isStopped = true;
      stopping.abort();
      wakeUp.abort();
      return running;
    },
  };
};
