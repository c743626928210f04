import { ENDPOINTS } from '../../../contract/index.ts';
import type { Fault } from '../../faults/faults.ts';
import { actForm, actLink } from '../acting/forms.ts';
import { html } from '../html.ts';
import { type Column, isChosen, type Listing, noneOf, tableOf, type Viewer } from './table.ts';

/** A waiting fault and its index in the list. */
type Row = Fault & { readonly at: number };

const COLUMNS = ({ canAct }: Viewer): readonly Column<Row>[] => [
  { name: 'Endpoint', show: ({ endpoint }) => endpoint },
  { name: 'Fails with', show: ({ kind }) => html`<span class="break">${kind}</span>` },
  { name: 'Calls', kind: 'whole', show: ({ count }) => count },
  {
    name: 'Retry-After',
    kind: 'whole',
    show: ({ retry_after }) => (retry_after === undefined ? 'none' : `${retry_after} s`),
  },
  ...(canAct
    ? [{ name: 'Act', show: ({ endpoint, at }: Row) => actLink('fault.clear', { endpoint }, 'Remove', String(at)) }]
    : []),
];

const NONE = html`No call will fail. <code>bursar sandbox fault</code> makes one fail.`;

const ADD_FORM = actForm({
  id: 'fault.add',
  button: 'Add a fault',
  fields: [
    { name: 'endpoint', label: 'Endpoint', choices: ENDPOINTS.map(({ id }) => id) },
    { name: 'kind', label: 'Fails with: an error, an HTTP code, hang, …' },
    { name: 'count', label: 'Calls', value: '1' },
    { name: 'retry_after', label: 'Retry-After in seconds', isOptional: true },
  ],
});

/** The faults that wait for their calls. */
export const faults: Listing = {
  id: 'faults',
  title: 'Faults',
  filters: [{ name: 'endpoint', label: 'Only this endpoint', choices: ENDPOINTS.map(({ id }) => id) }],
  above: async (_, { canAct }) => canAct && html`<div class="card">${ADD_FORM}</div>`,
  list: async ({ faults: { list } }, viewer, { filter }) => {
    const all = list().map((fault, at) => ({ ...fault, at }));
    const rows = all.filter(({ endpoint }) => isChosen(endpoint, filter['endpoint']));
    const table = tableOf('Faults', COLUMNS(viewer), rows, noneOf(filter, NONE), ', the next one first');
    return { count: rows.length, table };
  },
};
