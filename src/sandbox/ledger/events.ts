import type { Selectable } from 'kysely';
import { parseJson, printJson } from '../../core/json.ts';
import { WEBHOOK_EVENT, WEBHOOK_GIVE_UP_MS } from '../assumptions.ts';
import { paymentView } from '../payments/view.ts';
import type { Ledger, Tables } from './ledger.ts';
import { readWebhookTargets, whyNotSent } from './settings.ts';

/** A webhook and the state of its delivery. */
export type EventRow = Selectable<Tables['webhook_events']>;
type DeliveryRow = Selectable<Tables['webhook_deliveries']>;

/** The state of a webhook that is to be sent. A webhook to a forbidden address gets the reason in place of an answer. */
export const deliveryOf = async (step: Ledger, url: string) => {
  const why = whyNotSent(url, await readWebhookTargets(step));
  return why === undefined
    ? ({ state: 'pending' } as const)
    : ({ state: 'not_sent', last_http: null, last_answer: why } as const);
};

/** Queues the webhook of a payment's new status. Runs in the transaction that changes the status. `at` is ISO 8601. */
export const queueEvent = async (step: Ledger, paymentId: string, at: string): Promise<void> => {
  const row = await step.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirstOrThrow();
  const { webhook_url: url } = parseJson(row.tenant_data) as { readonly webhook_url?: string };
  if (url === undefined) return;
  const now = Date.parse(at);
  await step
    .insertInto('webhook_events')
    .values({
      payment_id: paymentId,
      payment_status: row.status,
      url,
      payload: printJson({ event: WEBHOOK_EVENT, created_at: at, data: paymentView(row) }),
      ...(await deliveryOf(step, url)),
      created_at: at,
      next_ms: now,
      until_ms: now + WEBHOOK_GIVE_UP_MS,
    })
    .execute();
};

/**
 * The next pending event of each payment, the earliest due time first. Payments in `without` are left out. An event
 * waits for the earlier events of its payment.
 */
export const nextEvents = (ledger: Ledger, without: readonly string[], limit: number): Promise<readonly EventRow[]> =>
  ledger
    .selectFrom('webhook_events as event')
    .selectAll()
    .where('state', '=', 'pending')
    .$if(without.length > 0, (query) => query.where('payment_id', 'not in', without))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('webhook_events as earlier')
            .select('earlier.seq')
            .whereRef('earlier.payment_id', '=', 'event.payment_id')
            .whereRef('earlier.seq', '<', 'event.seq')
            .where('earlier.state', '=', 'pending'),
        ),
      ),
    )
    .orderBy('next_ms')
    .orderBy('seq')
    .limit(limit)
    .execute();

type Attempt = Pick<EventRow, 'state' | 'attempts' | 'next_ms' | 'last_at' | 'last_http' | 'last_answer'>;

/**
 * Stores the result of an attempt in its event, unless the event changed meanwhile. A sent webhook is always a
 * delivery.
 */
export const recordAttempt = (ledger: Ledger, event: EventRow, attempt: Attempt): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    const { seq } = event;
    await step
      .updateTable('webhook_events')
      .set(attempt)
      .where('seq', '=', seq)
      .where('attempts', '=', event.attempts)
      .where('until_ms', '=', event.until_ms)
      .execute();
    const { last_at: at, last_http: http, last_answer: answer } = attempt;
    const wasSent = attempt.attempts > event.attempts;
    const exists = await step.selectFrom('webhook_events').select('seq').where('seq', '=', seq).executeTakeFirst();
    if (!wasSent || !exists || at === null) return;
    const delivery = { event_seq: seq, at, http, answer: answer ?? '' };
    await step.insertInto('webhook_deliveries').values(delivery).execute();
  });

/** An event and all its delivery attempts, oldest first; `undefined` without such an event. */
export const findEvent = async (
  ledger: Ledger,
  seq: number,
): Promise<{ readonly event: EventRow; readonly deliveries: readonly DeliveryRow[] } | undefined> => {
  const event = await ledger.selectFrom('webhook_events').selectAll().where('seq', '=', seq).executeTakeFirst();
  if (!event) return undefined;
  const all = ledger.selectFrom('webhook_deliveries').selectAll().where('event_seq', '=', seq).orderBy('seq');
  return { event, deliveries: await all.execute() };
};

/** Queues an event again, in any state; `undefined` without such an event. */
export const requeueEvent = (ledger: Ledger, seq: number, now: number): Promise<EventRow | undefined> =>
  ledger.transaction().execute(async (step) => {
    const event = await step.selectFrom('webhook_events').select('url').where('seq', '=', seq).executeTakeFirst();
    if (!event) return undefined;
    const change = { ...(await deliveryOf(step, event.url)), next_ms: now, until_ms: now + WEBHOOK_GIVE_UP_MS };
    return step.updateTable('webhook_events').set(change).where('seq', '=', seq).returningAll().executeTakeFirst();
  });

/** The events of all payments or of one payment, newest first. */
export const listEvents = (ledger: Ledger, payment: string | undefined, limit: number): Promise<readonly EventRow[]> =>
  ledger
    .selectFrom('webhook_events')
    .selectAll()
    .$if(payment !== undefined, (query) => query.where('payment_id', '=', payment ?? ''))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
