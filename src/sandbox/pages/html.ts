/** Text that is HTML. Only `html` makes it, so that all other text is escaped. */
export type Html = { readonly html: string };

/** The content of a part of a page. A list shows its entries one after the other. Empty values show nothing. */
export type Content = Html | string | number | false | undefined | null | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Invisible characters, and characters that change the direction of writing. With them a text could look like another
 * text.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Escapes text for HTML, and replaces invisible characters. */
const escapeHtml = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
    .replaceAll(UNSEEN, (char) => (/[\n\t]/.test(char) ? char : '\ufffd'));

const show = (value: Content): string => {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map(show).join('');
};

/** The tag of HTML templates. It escapes every value that is not HTML. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Html => ({
  html: parts.map((part, at) => part + show(values[at])).join(''),
});

/** The colour and the sign of a state: good, bad or waiting. `none` is neutral. */
export type Mood = 'good' | 'bad' | 'wait' | 'none';

const PATHS: Readonly<Record<Mood, Html>> = {
  good: html`<path d="M3.5 8.5l3 3 6-7" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
  bad: html`<path d="M4 4l8 8m0-8l-8 8" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>`,
  wait: html`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"/><path d="M8 5v3.2l2 1.3" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/>`,
  none: html`<circle cx="8" cy="8" r="3" fill="currentColor"/>`,
};

/** The sign of a mood, beside its word. Colour alone is not accessible. */
const sign = (mood: Mood): Html =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">${PATHS[mood]}</svg>`;

/** A word with the colour and the sign of its mood. */
export const mark = (mood: Mood, word: string): Html => html`<span class="mark ${mood}">${sign(mood)}${word}</span>`;

/** The state of a page: a headline and its explanation. */
export const stateBox = (mood: Mood, headline: string, text: string): Html =>
  html`<div class="state ${mood}">${sign(mood)}<div><strong>${headline}</strong><p>${text}</p></div></div>`;

/** A list of names and values. Rows with empty values are omitted. */
export const facts = (rows: readonly (readonly [string, Content])[]): Html => {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

/** A text in a monospaced font: an id, an address or a code. */
export const mono = (text: string): Html => html`<span class="mono">${text}</span>`;

/** An e-mail address on one line, with the whole address as its title; `undefined` without an address. */
export const email = (address: string | null): Html | undefined =>
  address ? html`<span title="${address}">${address}</span>` : undefined;

/**
 * One form with a button for each decision. It posts to the decision's address. With `hasMain` the first button is the
 * main one.
 */
export const decisionForms = (
  buttons: readonly (readonly [decision: string, label: string])[],
  addressOf: (decision: string) => string,
  hasMain = true,
): Html => {
  const form = ([decision, label]: readonly [string, string], at: number) =>
    html`<form method="post" action="${addressOf(decision)}"><button id="${decision}"${hasMain && at === 0 && html` class="main"`}>${label}</button></form>`;
  return html`<div class="buttons">${buttons.map(form)}</div>`;
};

/** A live part of a page, which the script updates. The heading must have the id `<id>-name`. */
export const section = (id: string, heading: Html, ...content: readonly Content[]): Html =>
  html`<section class="card" id="${id}" data-live tabindex="-1" aria-labelledby="${id}-name">
${[heading, ...content].map((each) => html`${each}\n`)}</section>`;

/** The statuses of a payment with their times. */
export const stepsOf = (history: readonly { readonly status: string; readonly at: string }[]): Html =>
  html`<ol class="steps">${history.map(({ status, at }) => html`<li>${mark(moodOf(status), status)}<span class="quiet small">${time(at)} UTC</span></li>`)}</ol>`;

/** The mood of a payment's status. An unknown status counts as waiting. */
export const moodOf = (status: string): Mood => {
  if (status === 'success') return 'good';
  if (status === 'error') return 'bad';
  return status === 'registered' || status === 'retry' ? 'none' : 'wait';
};

/** A time in ISO 8601, as readable text and for machines. */
export const time = (iso: string): Html => html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
