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

/** The mood of a state: good, bad, or waiting. `none` is neutral. */
export type Mood = 'good' | 'bad' | 'wait' | 'none';

const PATHS: Readonly<Record<Mood, Html>> = {
  good: html`<path d="M3.5 8.5l3 3 6-7" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
  bad: html`<path d="M4 4l8 8m0-8l-8 8" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>`,
  wait: html`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"/><path d="M8 5v3.2l2 1.3" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/>`,
  none: html`<circle cx="8" cy="8" r="3" fill="currentColor"/>`,
};

/** A sign beside a word: colour alone is not enough. */
const sign = (mood: Mood): Html =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">${PATHS[mood]}</svg>`;

/** A state as one word in a list. */
export const mark = (mood: Mood, word: string): Html => html`<span class="mark ${mood}">${sign(mood)}${word}</span>`;

/** The state of a whole page: a headline, and what it means. */
export const stateBox = (mood: Mood, headline: string, text: string): Html =>
  html`<div class="state ${mood}">${sign(mood)}<div><strong>${headline}</strong><p>${text}</p></div></div>`;

/** Names and what they are. What is nothing is left out. */
export const facts = (rows: readonly (readonly [string, Shown])[]): Html => {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

/** An id, an address or a code. */
export const mono = (text: string): Html => html`<span class="mono">${text}</span>`;

/** An e-mail address on one line; where it is too long its end is in the title. */
export const email = (address: string | null): Html | undefined =>
  address ? html`<span title="${address}">${address}</span>` : undefined;

/** A button for each decision, as a form that posts it to its address. The first is the main one where `hasMain`. */
export const decisionForms = (
  buttons: readonly (readonly [decision: string, label: string])[],
  addressOf: (decision: string) => string,
  hasMain = true,
): Html => {
  const form = ([decision, label]: readonly [string, string], at: number) =>
    html`<form method="post" action="${addressOf(decision)}"><button id="${decision}"${hasMain && at === 0 && html` class="main"`}>${label}</button></form>`;
  return html`<div class="buttons">${buttons.map(form)}</div>`;
};

/** A part of a page that follows each change. Its heading has the id `<id>-name`. */
export const section = (id: string, heading: Html, ...content: readonly Shown[]): Html =>
  html`<section class="card" id="${id}" data-live tabindex="-1" aria-labelledby="${id}-name">
${[heading, ...content].map((each) => html`${each}\n`)}</section>`;

/** Every status that a payment has had, with its time. */
export const stepsOf = (history: readonly { readonly status: string; readonly at: string }[]): Html =>
  html`<ol class="steps">${history.map(({ status, at }) => html`<li>${mark(moodOf(status), status)}<span class="quiet small">${time(at)} UTC</span></li>`)}</ol>`;

/** What a payment's status means. Unknown ones are shown as they are. */
export const moodOf = (status: string): Mood => {
  if (status === 'success') return 'good';
  if (status === 'error') return 'bad';
  return status === 'registered' || status === 'retry' ? 'none' : 'wait';
};

/** A time as text that a machine reads too. */
export const time = (iso: string): Html => html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
