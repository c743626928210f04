import { countOf, type PageRequest, type RowsPage } from '../../ledger/latest.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Services } from '../../services.ts';
import { type Html, html, type Shown } from '../html.ts';
import type { Filter, FilterField } from './filter.ts';

/** A viewer. Only the owner, who came by a link, sees personal data, and only one with the acting link gets its forms. */
export type Viewer = { readonly isOwner: boolean; readonly canAct: boolean };

/** A column. A whole value is never broken into lines; an e-mail address is cut where it is too long. */
export type Column<T> = {
  readonly name: string;
  readonly kind?: 'whole' | 'email';
  readonly show: (row: T) => Shown;
};

/** What a page asks of a list: a part of it, of the rows that pass the filter. */
export type ListRequest = PageRequest & { readonly filter: Filter };

/** A list of the dashboard as a page shows it: its table, the number of all rows, and the key of the next page. */
export type ListPage = {
  /** Left out where it is not counted. */
  readonly count?: number;
  readonly table: Html;
  readonly next?: string | undefined;
};

/** A list of the dashboard; `list` reads one part of it. */
export type Listing = {
  readonly id: string;
  readonly title: string;
  readonly filters?: readonly FilterField[];
  readonly list: (services: Services, viewer: Viewer, asked: ListRequest) => Promise<ListPage>;
  /** What stands above the list on its own page. */
  readonly above?: (services: Services, viewer: Viewer) => Promise<Shown>;
};

/** Stands for a value that only the owner may see. */
export const hidden = html`<span class="quiet">hidden</span>`;

/** The roles are repeated: on a small screen rows become blocks, and browsers drop the roles of a table. */
export const tableOf = <T>(
  caption: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  none: Shown,
  order = ', newest first',
): Html => {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<table role="table"><caption class="unseen">${caption}${order}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(({ name }) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(
        ({ name, kind, show }) =>
          html`<td role="cell" data-name="${name}"${kind && html` class="${kind}"`}><div>${show(row)}</div></td>`,
      )}</tr>
`,
  )}</tbody></table>`;
};

/** Where rows of the ledger come from: their table, and the newest of them. */
type Source<T> = {
  readonly table: Parameters<typeof countOf>[1];
  readonly latest: (ledger: Ledger, asked: ListRequest, viewer: Viewer) => Promise<RowsPage<T>>;
};

/** The parts of a list that are the same for every viewer. */
type Texts = Pick<Listing, 'title' | 'filters' | 'above'> & {
  readonly none: Shown;
  /** The title of its table, where it has another. */
  readonly caption?: string;
};

/** Rows of the ledger as a list. */
export const listingOf = <T>(
  { title, none, caption = title, ...more }: Texts,
  { table, latest }: Source<T>,
  columns: (viewer: Viewer) => readonly Column<T>[],
): Listing => ({
  id: title.toLowerCase(),
  title,
  ...more,
  list: async (services, viewer, asked) => {
    const ledger = await services.ledger();
    const { rows, next } = await latest(ledger, asked, viewer);
    const isFiltered = Object.keys(asked.filter).length > 0;
    return {
      ...(!isFiltered && { count: await countOf(ledger, table) }),
      table: tableOf(caption, columns(viewer), rows, isFiltered ? 'Nothing passes this filter.' : none),
      next,
    };
  },
});
