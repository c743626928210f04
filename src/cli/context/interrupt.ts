import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';

/** How a command ends whose work does not end by itself when it is interrupted, as far as one part of it knows. */
export type InterruptSummary = () => Failure;

const GRACE_MS = 700;

/** What may have moved money comes before all else, and otherwise what was begun last. */
const mostSerious = (summaries: Iterable<InterruptSummary>): Failure => {
  const all = Array.from(summaries, (summary) => summary());
  return (
    all.findLast(({ code }) => code === 'outcome_unknown') ?? all.at(-1) ?? new Failure('interrupted', 'interrupted')
  );
};

/** Rejects some time after an interrupt: work in flight gets a moment to end in a way of its own, unless there are two. */
const whenInterrupted = (io: Io, summaries: Iterable<InterruptSummary>, graceMs: number): Promise<never> =>
  new Promise((_, reject) => {
    const end = () => reject(mostSerious(summaries));
    const giveUp = () => void io.clock.sleep(graceMs, io.forceQuit).then(end, end);
    if (io.interrupted.aborted) giveUp();
    else io.interrupted.addEventListener('abort', giveUp, { once: true });
  });

/** Work, or its last word when the user ends it and it does not end by itself in time. */
export const orInterrupted = <T>(
  io: Io,
  work: Promise<T>,
  summaries: Iterable<InterruptSummary>,
  graceMs = GRACE_MS,
): Promise<T> => Promise.race([work, whenInterrupted(io, summaries, graceMs)]);
