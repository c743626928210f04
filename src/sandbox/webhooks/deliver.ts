import type { HttpAnswer, HttpFault } from '../../io/exchange.ts';
import type { Io } from '../../io/io.ts';
import { WEBHOOK_FIRST_PAUSE_MS, WEBHOOK_MOST_PAUSE_MS, WEBHOOK_TIMEOUT_MS } from '../assumptions.ts';
import type { EventRow } from '../ledger/events.ts';

const MAX_ANSWER_BYTES = 64 * 1024;
/** As much of an answer is kept. */
const MAX_KEPT = 500;

/** Posts an event, once. Redirects are not followed. */
export const post = (io: Io, { url, payload }: EventRow): Promise<HttpAnswer | HttpFault> =>
  io.http.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'user-agent': 'bursar-sandbox' },
    body: payload,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    mostBytes: MAX_ANSWER_BYTES,
  });

const pauseAfter = (attempts: number): number =>
  Math.min(WEBHOOK_FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), WEBHOOK_MOST_PAUSE_MS);

/** What an answer makes of an event: delivered by any 2xx, else tried again until its time is over. */
export const judge = (event: EventRow, answer: HttpAnswer | HttpFault, now: number) => {
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
