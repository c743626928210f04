import type { Fault } from '../../faults/faults.ts';
import { html } from '../html.ts';
import { type Column, type Listing, tableOf } from './table.ts';

const COLUMNS: readonly Column<Fault>[] = [
  { name: 'Endpoint', show: ({ endpoint }) => endpoint },
  { name: 'Fails with', show: ({ kind }) => html`<span class="break">${kind}</span>` },
  { name: 'Calls', kind: 'whole', show: ({ count }) => count },
  {
    name: 'Retry-After',
    kind: 'whole',
    show: ({ retry_after }) => (retry_after === undefined ? 'none' : `${retry_after} s`),
  },
];

const NONE = html`No call will fail. <code>bursar sandbox fault</code> makes one fail.`;

/** The faults that wait for their calls. */
export const faults: Listing = {
  id: 'faults',
  title: 'Faults',
  list: async ({ faults: { list } }) => {
    const rows = list();
    return { count: rows.length, table: tableOf('Faults', COLUMNS, rows, NONE, ', the next one first') };
  },
};
