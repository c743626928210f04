import type { EventRow } from '../../ledger/events.ts';
import { countOf, latestEvents } from '../../ledger/latest.ts';
import type { EventState } from '../../ledger/tables.ts';
import { html, type Shown } from '../html.ts';
import { type Mood, mark, time } from '../marks.ts';
import { type Column, hidden, type Listing, listedOf, tableOf, type Viewer } from './listing.ts';
import { paymentLink } from './payments.ts';

const MOODS: Readonly<Record<EventState, readonly [Mood, string]>> = {
  pending: ['wait', 'pending'],
  delivered: ['good', 'delivered'],
  failed: ['bad', 'given up'],
  not_sent: ['none', 'not sent'],
};

const answerOf = ({ last_http, last_answer, state }: EventRow): Shown => {
  if (last_http === null && last_answer === null) return state === 'not_sent' ? 'not allowed there' : 'none yet';
  return html`<span class="break">${last_http ?? 'no answer'}${last_answer && `: ${last_answer}`}</span>`;
};

/** What a webhook is and what became of it. */
export const EVENT_COLUMNS = ({ isOwner }: Viewer): readonly Column<EventRow>[] => [
  { name: 'Payment', show: ({ payment_id, seq }) => paymentLink(payment_id, `event-${seq}`) },
  { name: 'Tells', isWhole: true, show: ({ payment_status }) => payment_status },
  { name: 'Delivery', show: ({ state }) => mark(...MOODS[state]) },
  { name: 'Tries', isWhole: true, show: ({ attempts }) => attempts },
  { name: 'To', show: ({ url }) => (isOwner ? url : hidden) },
  { name: 'Last answer', show: (row) => (isOwner ? answerOf(row) : (row.last_http ?? 'none yet')) },
  { name: 'Created', isWhole: true, show: ({ created_at }) => time(created_at) },
];

export const webhooks: Listing = {
  id: 'webhooks',
  title: 'Webhooks',
  list: async (services, viewer, wanted) => {
    const ledger = await services.ledger();
    const part = await latestEvents(ledger, wanted);
    const none = 'No webhook yet. One is sent when a payment changes its status.';
    const table = tableOf('Webhooks', EVENT_COLUMNS(viewer), part.rows, none);
    return listedOf(await countOf(ledger, 'webhook_events'), part, table);
  },
};
