import type { HttpAnswer, HttpFault } from '../../io/http/http.ts';
import type { Io } from '../../io/io.ts';
import { WEBHOOK_FIRST_PAUSE_MS, WEBHOOK_MAX_PAUSE_MS, WEBHOOK_TIMEOUT_MS } from '../assumptions.ts';
import { deliveryOf, type EventRow, nextEvents, recordAttempt } from '../ledger/events.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { startWorker, type Worker } from '../worker.ts';

/** The maximum number of parallel deliveries, one for each payment, so that a payment's webhooks arrive in order. */
const MAX_AT_ONCE = 16;
const AFTER_FAULT_MS = 2_000;
/** The time that a slow receiver may delay a snapshot. */
const DRAIN_MS = 2_000;
const LOOK_MS = 10;

/** Logs a failure of the sandbox itself and waits, because an immediate repeat would fail too. */
const afterFault = async ({ io }: Services, error: unknown): Promise<void> => {
  await log(io, `a webhook could not be handled: ${describeError(error)}`);
  await io.clock.sleep(AFTER_FAULT_MS);
};

/** Starts the worker that sends webhooks. It delays no request, and has time limits and a limit of parallel deliveries. */
export const startCourier = (services: Services): Worker => {
  /** The payments with a delivery in progress. */
  const delivering = new Set<string>();
  const recordings = new Set<Promise<void>>();
  let isStopped = false;

  const record = async (event: EventRow, attempt: Parameters<typeof recordAttempt>[2]): Promise<void> => {
    const recording = services.ledger().then((ledger) => recordAttempt(ledger, event, attempt));
    recordings.add(recording);
    await recording.finally(() => recordings.delete(recording));
  };
  /** Delivers an event. An answer after the stop is not stored, and the next server sends the event again. */
  const deliver = async (event: EventRow): Promise<void> => {
    // The setting may forbid the address since the event was queued.
    const delivery = await deliveryOf(await services.ledger(), event.url);
    // After the stop a restore may have deleted the event.
    if (isStopped) return undefined;
    if (delivery.state === 'not_sent') return record(event, { ...event, ...delivery });
    const answer = await post(services.io, event);
    return isStopped ? undefined : record(event, afterAttempt(event, answer, services.clock.now()));
  };
  const begin = (event: EventRow): void => {
    delivering.add(event.payment_id);
    const end = () => {
      delivering.delete(event.payment_id);
      worker.nudge();
    };
    deliver(event)
      .catch((error: unknown) => afterFault(services, error))
      .then(end, end);
  };
  const deliverDue = async (): Promise<number | undefined> => {
    const room = MAX_AT_ONCE - delivering.size;
    if (room === 0) return undefined;
    const events = await nextEvents(await services.ledger(), [...delivering], room);
    const now = services.clock.now();
    const due = events.filter(({ next_ms }) => next_ms <= now);
    due.forEach(begin);
    const next = events[due.length];
    return next && next.next_ms - now;
  };

  const worker = startWorker(services.io, 'the courier of webhooks', deliverDue);
  return {
    nudge: worker.nudge,
    // A delivery that is cut off is repeated, so that its receiver gets it twice.
    drain: async () => {
      const deadline = services.io.clock.monotonic() + DRAIN_MS;
      while (delivering.size > 0 && services.io.clock.monotonic() < deadline) await services.io.clock.sleep(LOOK_MS);
    },
    stop: async () => {
      isStopped = true;
      await worker.stop();
      await Promise.allSettled(recordings);
    },
  };
};

const MAX_ANSWER_BYTES = 64 * 1024;
/** The stored length of an answer, in characters. */
const MAX_STORED_LENGTH = 500;

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
  Math.min(WEBHOOK_FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), WEBHOOK_MAX_PAUSE_MS);

/** The state of an event after an attempt. Any 2xx is a delivery. Other events are tried again until their time limit. */
const afterAttempt = (event: EventRow, answer: HttpAnswer | HttpFault, now: number) => {
  const attempts = event.attempts + 1;
  const next_ms = now + pauseAfter(attempts);
  const isDelivered = answer.kind === 'answer' && answer.http >= 200 && answer.http < 300;
  const stateIfNot = next_ms > event.until_ms ? 'failed' : 'pending';
  const text = answer.kind === 'answer' ? new TextDecoder().decode(answer.body) : answer.message;
  return {
    state: isDelivered ? 'delivered' : stateIfNot,
    attempts,
    next_ms,
    last_at: new Date(now).toISOString(),
    last_http: answer.kind === 'answer' ? answer.http : null,
    last_answer: text.slice(0, MAX_STORED_LENGTH).replaceAll('\0', ' '),
  } as const;
};
