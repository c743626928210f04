import { countOf, type PageRequest, type RowsPage } from '../../ledger/latest.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Services } from '../../services.ts';
import { type Content, type Html, html } from '../html.ts';
import type { Filter, FilterField } from './filter.ts';

/** The rights of a viewer. Only the owner, who opened a link, sees personal data. Only the acting link shows forms. */
export type Viewer = { readonly isOwner: boolean; readonly canAct: boolean };

/** A column of a table. `whole` values stay on one line. Long e-mail addresses are cut. */
export type Column<T> = {
  readonly name: string;
  readonly kind?: 'whole' | 'email';
  readonly show: (row: T) => Content;
};

/** A request for one page of a list, with a filter. */
export type ListRequest = PageRequest & { readonly filter: Filter };

/** One page of a list: its table, the number of all rows, and the cursor of the next page. */
export type ListPage = {
  /** Missing for a list that is not counted, and with a filter. */
  readonly count?: number;
  readonly table: Html;
  readonly next?: string | undefined;
};

/** A list of the dashboard; `list` reads one page of it. */
export type Listing = {
  readonly id: string;
  readonly title: string;
  readonly filters?: readonly FilterField[];
  readonly list: (services: Services, viewer: Viewer, request: ListRequest) => Promise<ListPage>;
  /** The content above the list on the list's own page. */
  readonly above?: (services: Services, viewer: Viewer) => Promise<Content>;
};

/** Replaces a value that only the owner may see. */
export const hidden = html`<span class="quiet">hidden</span>`;

/**
 * A table, or the text `none` for no rows. It repeats the roles, because browsers drop them on small screens with block
 * rows.
 */
export const tableOf = <T>(
  caption: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  none: Content,
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

/** The text in place of a table that has no rows. */
export const noneOf = (filter: Filter, none: Content): Content =>
  Object.keys(filter).length > 0 ? 'Nothing passes this filter.' : none;

/** Whether a value passes a field of a filter: a choice is the whole value, in any case. */
export const isChosen = (value: string, choice = value): boolean => value.toLowerCase() === choice.toLowerCase();

/** Whether a value passes the search of a filter. */
export const hasText = (value: string, search = ''): boolean => value.toLowerCase().includes(search.toLowerCase());

/** The source of a list: a table of the ledger, and the query for its newest rows. */
type Source<T> = {
  readonly table: Parameters<typeof countOf>[1];
  readonly latest: (ledger: Ledger, request: ListRequest, viewer: Viewer) => Promise<RowsPage<T>>;
};

/** The texts and filters of a list, which are the same for every viewer. */
type ListTexts = Pick<Listing, 'title' | 'filters' | 'above'> & {
  readonly none: Content;
  /** The title of the table, if it differs from `title`. */
  readonly caption?: string;
};

/** A list of rows of the ledger. */
export const listingOf = <T>(
  { title, none, caption = title, ...more }: ListTexts,
  { table, latest }: Source<T>,
  columns: (viewer: Viewer) => readonly Column<T>[],
): Listing => ({
  id: title.toLowerCase(),
  title,
  ...more,
  list: async (services, viewer, request) => {
    const ledger = await services.ledger();
    const { rows, next } = await latest(ledger, request, viewer);
    const isFiltered = Object.keys(request.filter).length > 0;
    return {
      ...(!isFiltered && { count: await countOf(ledger, table) }),
      table: tableOf(caption, columns(viewer), rows, noneOf(request.filter, none)),
      next,
    };
  },
});
