import type { Part, Wanted } from '../../ledger/latest.ts';
import type { Services } from '../../services.ts';
import { type Html, html, type Shown } from '../html.ts';

/** Who looks: only the one who came by the link sees what says who somebody is. */
export type Viewer = { readonly isOwner: boolean };

/** A column; what is whole is never broken into lines. */
export type Column<T> = { readonly name: string; readonly isWhole?: boolean; readonly show: (row: T) => Shown };

/** A list of the dashboard as it is shown: its table, how many there are in all, and where it goes on. */
export type Listed = { readonly count: number; readonly table: Html; readonly next: string | undefined };

/** A list of the dashboard; `list` reads the part of it that is wanted. */
export type Listing = {
  readonly id: string;
  readonly title: string;
  readonly list: (services: Services, viewer: Viewer, wanted: Wanted) => Promise<Listed>;
};

/** What only the owner may see. */
export const hidden = html`<span class="quiet">hidden</span>`;

/** The roles are said again: on a small screen, where rows become blocks, browsers forget them. */
export const tableOf = <T>(caption: string, columns: readonly Column<T>[], rows: readonly T[], none: Shown): Html => {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<table role="table"><caption class="unseen">${caption}, newest first</caption>
<thead role="rowgroup"><tr role="row">${columns.map(({ name }) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(
        ({ name, isWhole, show }) =>
          html`<td role="cell" data-name="${name}"${isWhole && html` class="whole"`}><div>${show(row)}</div></td>`,
      )}</tr>
`,
  )}</tbody></table>`;
};

/** Rows of the ledger as a list. */
export const listedOf = <T>(count: number, { next }: Part<T>, table: Html): Listed => ({ count, table, next });
