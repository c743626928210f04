import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';

/** The failure of one operation if an interrupt ends the command before the operation ends. */
export type InterruptSummary = () => Failure;

const GRACE_MS = 700;

/** The most serious summary: an unknown outcome first, otherwise the operation that started last. */
const mostSerious = (summaries: Iterable<InterruptSummary>): Failure => {
  const all = Array.from(summaries, (summary) => summary());
  return (
    all.findLast(({ code }) => code === 'outcome_unknown') ?? all.at(-1) ?? new Failure('interrupted', 'interrupted')
  );
};

/** Rejects after an interrupt and a grace period in which the work can end by itself. A second interrupt ends it at once. */
const whenInterrupted = (io: Io, summaries: Iterable<InterruptSummary>, graceMs: number): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(mostSerious(summaries));
    const giveUp = () => void io.clock.sleep(graceMs, io.forceQuit).then(end, end);
    if (io.interrupted.aborted) giveUp();
    else io.interrupted.addEventListener('abort', giveUp, { once: true });
  });

/** Waits for work. Rejects with the interrupt summary if an interrupt comes and the work does not end in time. */
export const orInterrupted = <T>(
  io: Io,
  work: Promise<T>,
  summaries: Iterable<InterruptSummary>,
  graceMs = GRACE_MS,
): Promise<T> => Promise.race([work, whenInterrupted(io, summaries, graceMs)]);
