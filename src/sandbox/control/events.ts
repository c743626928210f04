import { type EventRow, listDeliveries, listEvents, requeueEvent } from '../ledger/events.ts';
import { readWebhookTargets, writeWebhookTargets } from '../ledger/settings.ts';
import type { Services } from '../services.ts';
import { missing, ok, type Route, withInput } from './route.ts';
import { MONEY_INPUTS, type SentEvent } from './shapes.ts';

const viewOf = (row: EventRow): SentEvent => ({
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

/** What webhooks told, their deliveries, and where they may go. */
export const eventRoutes = (services: Services): readonly Route[] => [
  [
    'GET',
    'events',
    (context) =>
      withInput(context, MONEY_INPUTS.events, async ({ payment_id, limit }) => {
        const events = await listEvents(await services.ledger(), payment_id, limit);
        return ok('events_found', 'Webhooks, newest first.', { events: events.map(viewOf) });
      }),
  ],
  [
    'GET',
    'events/deliveries',
    (context) =>
      withInput(context, MONEY_INPUTS.deliveries, async ({ id }) => {
        const found = await listDeliveries(await services.ledger(), id);
        if (!found) return missing('event_not_found', 'There is no such event.');
        const deliveries = found.map(({ at, http, answer }) => ({ at, http, answer }));
        return ok('deliveries_found', 'Attempts to deliver the event, oldest first.', { deliveries });
      }),
  ],
  [
    'POST',
    'events/resend',
    (context) =>
      withInput(context, MONEY_INPUTS.resend, async ({ id }) => {
        const event = await requeueEvent(await services.ledger(), id, services.clock.now());
        services.nudge();
        if (!event) return missing('event_not_found', 'There is no such event.');
        return ok('event_queued', 'The event is sent again, where it may be sent.', viewOf(event));
      }),
  ],
  [
    'GET',
    'webhooks',
    async () =>
      ok('webhooks_found', 'Where webhooks may go.', { targets: await readWebhookTargets(await services.ledger()) }),
  ],
  [
    'POST',
    'webhooks',
    (context) =>
      withInput(context, MONEY_INPUTS.webhooks, async ({ targets }) => {
        await writeWebhookTargets(await services.ledger(), targets);
        return ok('webhooks_changed', `Webhooks may go to ${targets}.`, { targets });
      }),
  ],
];
