import type { HttpAnswer, HttpFault } from '../../io/http/http.ts';
import type { Io } from '../../io/io.ts';
import { WEBHOOK_FIRST_PAUSE_MS, WEBHOOK_MOST_PAUSE_MS, WEBHOOK_TIMEOUT_MS } from '../assumptions.ts';
import { type EventRow, nextEvents, recordAttempt } from '../ledger/events.ts';
import { readWebhookTargets, whyNotSent } from '../ledger/settings.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';

/** Deliveries at once; each of another payment, so that a payment's webhooks arrive in their order. */
const MAX_AT_ONCE = 16;
const AFTER_FAULT_MS = 2_000;

/** What the setting forbade since the event was queued is not sent. */
const forbid = (event: EventRow, why: string) =>
  ({ ...event, state: 'not_sent', last_http: null, last_answer: why }) as const;

/** What failed here fails again at once: the event waits a little. */
const afterFault = async ({ io }: Services, error: unknown): Promise<void> => {
  await log(io, `a webhook could not be handled: ${describeError(error)}`);
  await io.clock.sleep(AFTER_FAULT_MS);
};

/** Sends webhooks, and never holds up a request: it has its own turn, its own time limits and a bounded number. */
export const startCourier = (services: Services): Worker => {
  const underway = new Set<string>();
  const recordings = new Set<Promise<void>>();
  let isFinished = false;

  const record = async (event: EventRow, attempt: Parameters<typeof recordAttempt>[2]): Promise<void> => {
    const recording = services.ledger().then((ledger) => recordAttempt(ledger, event, attempt));
    recordings.add(recording);
    await recording.finally(() => recordings.delete(recording));
  };
  /** An answer that comes after the end is not recorded: the next server sends the event again. */
  const deliver = async (event: EventRow): Promise<void> => {
    const { url } = event;
    const why = whyNotSent(url, await readWebhookTargets(await services.ledger()));
    if (why !== undefined) return record(event, forbid(event, why));
    const answer = await post(services.io, event);
    return isFinished ? undefined : record(event, afterAttempt(event, answer, services.clock.now()));
  };
  const begin = (event: EventRow): void => {
    underway.add(event.payment_id);
    const forget = () => {
      underway.delete(event.payment_id);
      worker.nudge();
    };
    deliver(event)
      .catch((error: unknown) => afterFault(services, error))
      .then(forget, forget);
  };
  const look = async (): Promise<number | undefined> => {
    const room = MAX_AT_ONCE - underway.size;
    if (room === 0) return undefined;
    const events = await nextEvents(await services.ledger(), [...underway], room);
    const now = services.clock.now();
    const due = events.filter(({ next_ms }) => next_ms <= now);
    due.forEach(begin);
    const next = events[due.length];
    return next && next.next_ms - now;
  };

  const worker = startWorker(services.io, 'the courier of webhooks', look);
  return {
    nudge: worker.nudge,
    stop: async () => {
      isFinished = true;
      await worker.stop();
      await Promise.allSettled(recordings);
    },
  };
};

const MAX_ANSWER_BYTES = 64 * 1024;
/** As much of an answer is kept. */
const MAX_KEPT = 500;

/** Posts an event, once. Redirects are not followed. */
const post = (io: Io, { url, payload }: EventRow): Promise<HttpAnswer | HttpFault> =>
  io.http.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'bursar-sandbox' },
    body: payload,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });

const pauseAfter = (attempts: number): number =>
  Math.min(WEBHOOK_FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), WEBHOOK_MOST_PAUSE_MS);

/** What an answer makes of an event: delivered by any 2xx, else tried again until its time is over. */
const afterAttempt = (event: EventRow, answer: HttpAnswer | HttpFault, now: number) => {
  const attempts = event.attempts + 1;
  const next_ms = now + pauseAfter(attempts);
  const isTaken = answer.kind === 'answer' && answer.http >= 200 && answer.http < 300;
  const ifNot = next_ms > event.until_ms ? 'failed' : 'pending';
  const text = answer.kind === 'answer' ? new TextDecoder().decode(answer.body) : answer.message;
  return {
    state: isTaken ? 'delivered' : ifNot,
    attempts,
    next_ms,
    last_at: new Date(now).toISOString(),
    last_http: answer.kind === 'answer' ? answer.http : null,
    last_answer: text.slice(0, MAX_KEPT).replaceAll('\0', ' '),
  } as const;
};
