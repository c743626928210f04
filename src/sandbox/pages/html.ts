/** Text that is HTML already: only `html` makes it, so that everything else is escaped. */
export type Html = { readonly html: string };

/** What may stand in a page. A list is its parts, one after the other; nothing is nothing. */
export type Shown = Html | string | number | false | undefined | null | readonly Shown[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters without a look of their own, and those that turn the direction of writing, would make a text look like another. */
const UNSEEN = /[\p{Cc}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text as HTML shows it: whatever it holds, it is text. */
const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
    .replaceAll(UNSEEN, (char) => (/[\n\t]/.test(char) ? char : '\ufffd'));

const show = (value: Shown): string => {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map(show).join('');
};

/** HTML as it is written, and in it values that are escaped unless they are HTML themselves. */
export const html = (parts: TemplateStringsArray, ...values: readonly Shown[]): Html => ({
  html: parts.map((part, at) => part + show(values[at])).join(''),
});
