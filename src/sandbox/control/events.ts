import { listDeliveries, listEvents, readTargets, resendEvent, setTargets } from '../../contract/control/events.ts';
import { fail, succeed } from '../handlers/handler.ts';
import {
  listDeliveries as deliveriesOf,
  type EventRow,
  listEvents as eventsOf,
  requeueEvent,
} from '../ledger/events.ts';
import { readWebhookTargets, writeWebhookTargets } from '../ledger/settings.ts';
import { handleControl } from './handler.ts';

const viewOf = (row: EventRow) => ({
  id: row.seq,
  payment_id: row.payment_id,
  payment_status: row.payment_status,
  state: row.state,
  attempts: row.attempts,
  url: row.url,
  created_at: row.created_at,
  last_at: row.last_at,
  last_http: row.last_http,
  last_answer: row.last_answer,
});

const NO_EVENT = fail('event_not_found', 'There is no such event.');

/** Webhooks, their deliveries, and where they may go. */
export const EVENT_HANDLERS = {
  [listEvents.id]: handleControl(listEvents, async ({ services }, { payment_id, limit }) => {
    const events = await eventsOf(await services.ledger(), payment_id, limit);
    return succeed('events_found', 'Webhooks, newest first.', { events: events.map(viewOf) });
  }),
  [listDeliveries.id]: handleControl(listDeliveries, async ({ services }, { id }) => {
    const found = await deliveriesOf(await services.ledger(), id);
    if (!found) return NO_EVENT;
    const deliveries = found.map(({ at, http, answer }) => ({ at, http, answer }));
    return succeed('deliveries_found', 'Attempts to deliver the event, oldest first.', { deliveries });
  }),
  [resendEvent.id]: handleControl(resendEvent, async ({ services }, { id }) => {
    const event = await requeueEvent(await services.ledger(), id, services.clock.now());
    services.nudge();
    return event ? succeed('event_queued', 'The event is sent again, where it may be sent.', viewOf(event)) : NO_EVENT;
  }),
  [readTargets.id]: handleControl(readTargets, async ({ services }) => {
    const targets = await readWebhookTargets(await services.ledger());
    return succeed('webhooks_found', 'Where webhooks may go.', { targets });
  }),
  [setTargets.id]: handleControl(setTargets, async ({ services }, { targets }) => {
    await writeWebhookTargets(await services.ledger(), targets);
    return succeed('webhooks_changed', `Webhooks may go to ${targets}.`, { targets });
  }),
};
