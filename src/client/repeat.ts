import type { Outcome } from '../contract/outcomes.ts';
import { escapeText } from '../core/escape.ts';
import { Failure, isFailure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { Trace } from './trace.ts';

/** What may be used up by a call: until when, and where it is told. */
type Patience = { readonly io: Io; readonly deadline: number; readonly note?: Trace | undefined };

const MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 250;
/** Whoever was told the same time to wait must not come back at the same moment. */
const SPREAD_MS = 250;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Full jitter: anything up to twice the last; after a time that the service asked for, a little more than that. */
const pauseBefore = ({ io }: Patience, retry: number, asked: number | undefined): number => {
  const most = asked === undefined ? FIRST_PAUSE_MS * 2 ** (retry - 1) : SPREAD_MS;
  return (asked ?? 0) + io.random.fraction() * most;
};

/** Says when the service wants to be called again, where nobody waits for it. */
const advised = ({ io, deadline }: Patience, failure: Failure, { isAutomatic }: Outcome): Failure => {
  const { retryAfterMs: asked, hint } = failure.details;
  if (asked === undefined) return failure;
  const left = Math.max(0, deadline - io.clock.monotonic());
  const why = isAutomatic && asked >= left ? `, and ${seconds(left)} of --timeout are left` : '';
  const when = new Date(io.clock.now() + asked).toISOString();
  const says = `The service asks to wait ${seconds(asked)}${why}: not before ${when}.`;
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    hint: [hint, says].filter(Boolean).join(' '),
    cause: failure,
  });
};

/**
 * Makes a call again where its outcome allows that without a word of the user: at most three times, after what may
 * pass, within the time of the command. A time that the service asks for is waited for, or the call given up at once.
 */
export const repeating = async <T>(client: Patience, outcome: Outcome, once: () => Promise<T>): Promise<T> => {
  const { clock, interrupted } = client.io;
  for (let retry = 1; ; retry += 1) {
    try {
      return await once();
    } catch (error) {
      if (!isFailure(error)) throw error;
      const { isPassing, retryAfterMs } = error.details;
      if (!outcome.isAutomatic || !isPassing || retry > MAX_RETRIES) throw advised(client, error, outcome);
      const pause = pauseBefore(client, retry, retryAfterMs);
      if (clock.monotonic() + pause >= client.deadline) throw advised(client, error, outcome);
      const what = `${escapeText(error.sentence)}; retry ${retry} of ${MAX_RETRIES} in ${seconds(pause)}`;
      await client.note?.(what);
      await clock.sleep(pause, interrupted);
    }
  }
};
