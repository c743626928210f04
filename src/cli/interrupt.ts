import { Failure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';

const GRACE_MS = 700;

/** Rejects some time after an interrupt: work in flight gets a moment to end in a way of its own. */
const whenInterrupted = (io: Io, graceMs: number): Promise<never> =>
  new Promise((_, reject) => {
    const giveUp = () => void io.clock.sleep(graceMs).then(() => reject(new Failure('interrupted', 'interrupted')));
    if (io.interrupted.aborted) giveUp();
    else io.interrupted.addEventListener('abort', giveUp, { once: true });
  });

/** Work, or `interrupted` when the user ends it and it does not end by itself in time. */
export const orInterrupted = <T>(io: Io, work: Promise<T>, graceMs = GRACE_MS): Promise<T> =>
  Promise.race([work, whenInterrupted(io, graceMs)]);
