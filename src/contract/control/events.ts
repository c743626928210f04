import { anyText, choice, list, moment, oneOf, text, undocumented, whole } from '../fields.ts';
import { count, defineControl, record } from './define.ts';

const event = record(
  {
    id: count('Number of the webhook'),
    payment_id: text('Payment that changed'),
    payment_status: text('Status that it announces'),
    state: oneOf(['pending', 'delivered', 'failed', 'not_sent'], 'State of the delivery'),
    attempts: count('Attempts so far'),
    url: anyText('Address of its receiver'),
    created_at: moment('When the payment changed (ISO 8601)'),
    last_at: anyText('When it was last sent').nullable(),
    last_http: count('HTTP status of the last answer').nullable(),
    last_answer: anyText('Start of the last answer, or why none came').nullable(),
  },
  'A webhook and its delivery',
  'SentEvent',
);

const EXAMPLE_EVENT = {
  id: 7,
  payment_id: 'pay_0123',
  payment_status: 'success',
  state: 'delivered',
  attempts: 1,
  url: 'http://127.0.0.1:3000/hook',
  created_at: '2026-11-20T10:00:00.000Z',
  last_at: '2026-11-20T10:00:00.100Z',
  last_http: 200,
  last_answer: 'ok',
};

/** Lists the webhooks of all payments or of one payment, newest first. */
export const listEvents = defineControl({
  id: 'event.list',
  method: 'GET',
  path: '/_sandbox/events',
  summary: 'List the webhooks and their deliveries, newest first',
  effect: 'reads',
  query: {
    payment_id: text('Only those of this payment').optional(),
    limit: whole(1, 500, 'How many at most').default(50),
  },
  success: {
    events_found: {
      http: 200,
      data: record({ events: list(event, 'Webhooks, newest first') }, 'The webhooks'),
      example: { events: [EXAMPLE_EVENT] },
    },
  },
  example: { payment_id: 'pay_0123', limit: 5 },
});

const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Shows a webhook with its body and all delivery attempts, oldest first. */
export const listDeliveries = defineControl({
  id: 'event.deliveries',
  method: 'GET',
  path: '/_sandbox/events/deliveries',
  summary: 'Show a webhook with its body, and the attempts to deliver it',
  effect: 'reads',
  query: { id: whole(1, MAX_ID, 'Show each attempt to send the webhook with this number, and the answers') },
  success: {
    deliveries_found: {
      http: 200,
      data: record(
        {
          event,
          body: undocumented('Body of each attempt: a change of a payment'),
          deliveries: list(
            record(
              {
                at: moment('When it was sent (ISO 8601)'),
                http: count('HTTP status of the answer; null where none came').nullable(),
                answer: anyText('Start of the answer, or why none came'),
              },
              'One attempt',
              'Delivery',
            ),
            'Attempts, oldest first',
          ),
        },
        'A webhook and the attempts to deliver it',
      ),
      example: {
        event: EXAMPLE_EVENT,
        body: { event: 'payment.status_changed', created_at: EXAMPLE_EVENT.created_at, data: { id: 'pay_0123' } },
        deliveries: [{ at: '2026-11-20T10:00:00.100Z', http: 200, answer: 'ok' }],
      },
    },
  },
  errors: { event_not_found: 404 },
  example: { id: 7 },
});

/** Sends a webhook again. */
export const resendEvent = defineControl({
  id: 'event.resend',
  method: 'POST',
  path: '/_sandbox/events/resend',
  summary: 'Send a webhook again',
  effect: 'writes',
  body: { id: whole(1, MAX_ID, 'Send the webhook with this number again') },
  success: { event_queued: { http: 200, data: event, example: EXAMPLE_EVENT } },
  errors: { event_not_found: 404 },
  example: { id: 7 },
});

const targets = choice(
  { loopback: 'Only to this machine', any: 'To every address' },
  'Send webhooks only to this machine, or to every address',
);

const targetsData = record({ targets }, 'Where webhooks may go', 'WebhookTargets');

/** Shows the allowed addresses of webhooks. */
export const readTargets = defineControl({
  id: 'event.targets',
  method: 'GET',
  path: '/_sandbox/webhooks',
  summary: 'Show where webhooks may go',
  effect: 'reads',
  success: { webhooks_found: { http: 200, data: targetsData, example: { targets: 'loopback' } } },
});

/** Sets the allowed addresses of webhooks. */
export const setTargets = defineControl({
  id: 'event.set-targets',
  method: 'POST',
  path: '/_sandbox/webhooks',
  summary: 'Set where webhooks may go',
  effect: 'writes',
  body: { targets },
  success: { webhooks_changed: { http: 200, data: targetsData, example: { targets: 'any' } } },
  example: { targets: 'loopback' },
});
