import { type Html, html } from '../html.ts';

/** The values of a list's filter by field name. Empty fields are missing. */
export type Filter = Readonly<Record<string, string>>;

/** A field of a filter: a choice or any text. */
export type FilterField = { readonly name: string; readonly label: string; readonly choices?: readonly string[] };

const MAX_LENGTH = 200;

/** Reads a filter from the query of a page's address. */
export const readFilter = (fields: readonly FilterField[], query: (name: string) => string | undefined): Filter =>
  Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = query(name)?.trim().slice(0, MAX_LENGTH);
      return value ? [[name, value]] : [];
    }),
  );

const fieldOf = ({ name, label, choices }: FilterField, value = ''): Html => {
  const id = `filter-${name}`;
  const option = (word: string) =>
    html`<option value="${word}"${word === value && html` selected`}>${word || 'any'}</option>`;
  const control = choices
    ? html`<select id="${id}" name="${name}">${['', ...choices].map(option)}</select>`
    : html`<input id="${id}" name="${name}" type="search" value="${value}" maxlength="${MAX_LENGTH}" autocomplete="off" spellcheck="false">`;
  return html`<div class="field"><label for="${id}">${label}</label>${control}</div>`;
};

/** The form of a filter. It loads the page again with the filter in its address. */
export const filterForm = (list: string, fields: readonly FilterField[], filter: Filter): Html =>
  html`<form class="card filter" method="get" role="search" aria-label="Filter">
<input type="hidden" name="list" value="${list}">
${fields.map((field) => fieldOf(field, filter[field.name]))}
<div class="buttons"><button type="submit" id="filter">Filter</button>${
    Object.keys(filter).length > 0 && html`<a class="more" id="unfiltered" href="?list=${list}">Show all</a>`
  }</div>
</form>`;
