import type { Io } from '../io/io.ts';
import { describeError, log } from './log.ts';

/** Work that goes on beside the requests. */
export type Worker = {
  /** Wakes the worker: there may be work. */
  readonly nudge: () => void;
  /** Resolves when the current work has ended; no more is started. */
  readonly stop: () => Promise<void>;
};

/** Does the pending work. Resolves with the milliseconds until more is due; `undefined`: only after a nudge. */
export type Work = () => Promise<number | undefined>;

/** The sandbox's clock can be moved: a worker that waits for a time checks again at least this often. */
const LOOK_EVERY_MS = 500;
const AFTER_FAULT_MS = 2_000;
const LONG_MS = 2 ** 30;
/** Under load nudges come by the hundred: they share a look. */
const BETWEEN_LOOKS_MS = 20;

/** Does work again and again, soon when it is nudged. A failure goes to the log, and the work is tried again. */
export const startWorker = (io: Io, name: string, work: Work): Worker => {
  let bell = new AbortController();
  let isFinished = false;
  const once = async (): Promise<number> => {
    try {
      const next = await work();
      return next === undefined ? LONG_MS : Math.min(next, LOOK_EVERY_MS);
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
      await pause(BETWEEN_LOOKS_MS, stopping.signal);
      if (isFinished) return;
      // A nudge during the work must not be lost: it rings the bell that the pause listens to.
      bell = new AbortController();
      const { signal } = bell;
      await pause(await once(), signal);
    }
  };
  const running = run();
  return {
    nudge: () => bell.abort(),
    stop: () => {
      isFinished = true;
      stopping.abort();
      bell.abort();
      return running;
    },
  };
};
