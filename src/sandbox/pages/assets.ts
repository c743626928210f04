import { createHash } from 'node:crypto';
import type { App } from '../http/envelope.ts';
import { copyOnClick, runTimes, takeParts, watchSandbox } from './browser/script.ts';

/** Colours by their use, for light and dark. Every text has a contrast of at least 4.5 to 1. */
const COLOURS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0e1116);
  --card: light-dark(#ffffff, #171b22);
  --text: light-dark(#1a1f27, #e8ebf0);
  --quiet: light-dark(#545d6b, #a3adbb);
  --line: light-dark(#dfe3e8, #2b323d);
  --field: light-dark(#767f8d, #79838f);
  --accent: light-dark(#4338ca, #a5b4fc);
  --on-accent: light-dark(#ffffff, #14162b);
  --good: light-dark(#0b6b3a, #6ee7a8);
  --good-ground: light-dark(#e4f6ec, #12301f);
  --bad: light-dark(#a11d2b, #ff9aa2);
  --bad-ground: light-dark(#fdecec, #3a171b);
  --wait: light-dark(#7a4b00, #f5c66a);
  --wait-ground: light-dark(#fdf3dc, #33270e);
  --round: .625rem;
}`;

const BASICS = `
* { box-sizing: border-box }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; -webkit-text-size-adjust: 100% }
body { margin: 0; min-width: 0; background: var(--ground); color: var(--text) }
h1, h2, h3, p, dl, dd, ol, ul { margin: 0; padding: 0 }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em }
h2 { font-size: 1rem; font-weight: 650 }
h3 { font-size: .9375rem; font-weight: 600 }
a { color: var(--accent); text-underline-offset: .2em }
code, pre, textarea, .mono, .id { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[hidden] { display: none !important }
.quiet { color: var(--quiet) }
.small { font-size: .875rem }
.break { overflow-wrap: anywhere }
.skip { position: absolute; left: -99rem; display: inline-flex; align-items: center; min-height: 2.75rem }
.skip:focus { left: 1rem; top: 1rem; padding: 0 1rem; background: var(--card); z-index: 1 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (prefers-reduced-motion: no-preference) { button, a, input { transition: background-color .12s, border-color .12s } }`;

const FRAME = `
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; max-width: 76rem; margin: 0 auto; padding: 1rem 1.25rem }
.narrow .top, .narrow main { max-width: 30rem }
.brand img { width: 1.375rem; height: 1.375rem; margin-right: .5rem }
.brand { font-weight: 650; letter-spacing: -.01em; color: inherit; text-decoration: none; display: inline-flex; align-items: center; min-height: 2.75rem }
.tag { font-size: .8125rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 99rem; padding: .125rem .625rem }
main { display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: 1rem; max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 2rem }
.amount { font-size: 2.125rem }
.amount span { display: block; font-size: 1rem; font-weight: 450; letter-spacing: 0; color: var(--quiet); margin-bottom: .125rem }
@media (min-width: 58rem) {
  .narrow:has(.pay button) .top, .narrow:has(.pay button) main { max-width: 62rem }
  .narrow main:has(.pay button) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; gap: 1rem 1.25rem }
  .narrow main > .offline { grid-column: 1 / -1 }
  .narrow .pay:has(button) { grid-column: 2; grid-row: 1 / span 4 }
  .narrow main:has(.pay button) > .offline:not([hidden]) ~ .pay:has(button) { grid-row: 2 / span 4 }
}
.pay:empty { display: none }
.card { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: 1.5rem }
.offline { background: var(--bad-ground); color: var(--bad); border-radius: var(--round); padding: .75rem 1rem }
@media (max-width: 34rem) { .card { padding: 1.125rem } .top, main { padding-left: .875rem; padding-right: .875rem } }`;

const PARTS = `
.state { display: flex; gap: .625rem; align-items: flex-start; border-radius: var(--round); padding: .75rem 1rem; background: var(--wait-ground); color: var(--wait) }
.state.good { background: var(--good-ground); color: var(--good) }
.state.bad { background: var(--bad-ground); color: var(--bad) }
.state strong { display: block; font-weight: 650 }
.state svg, .mark svg { flex: none; width: 1.125rem; height: 1.125rem; margin-top: .1875rem }
.mark { display: inline-flex; align-items: center; gap: .3125rem; font-size: .8125rem; font-weight: 550; border-radius: 99rem; padding: .0625rem .5625rem .0625rem .4375rem; background: var(--wait-ground); color: var(--wait); white-space: nowrap }
.mark.good { background: var(--good-ground); color: var(--good) }
.mark.bad { background: var(--bad-ground); color: var(--bad) }
.mark.none { background: none; color: var(--quiet); border: 1px solid var(--line) }
.mark svg { width: .8125rem; height: .8125rem; margin: 0 }
.facts { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem }
.facts > div { display: grid; grid-template-columns: minmax(6.5rem, 1fr) minmax(0, 2.2fr); gap: .25rem 1rem }
.facts dt { color: var(--quiet) }
.facts dd { overflow-wrap: anywhere }
@media (max-width: 24rem) { .facts > div { grid-template-columns: minmax(0, 1fr) } }
.steps { list-style: none; display: grid; gap: .5rem }
.steps li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem }
.qr { display: grid; justify-items: center }
.qr img { width: 13.5rem; height: 13.5rem; max-width: 100%; background: #fff; border: 1px solid var(--line); border-radius: var(--round); padding: .5rem; image-rendering: pixelated }
pre.code { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem }`;

const FORMS = `
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: .375rem }
.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem }
.fields { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(9rem, 100%), 1fr)) }
label { font-weight: 550; padding: 0 }
input, select, textarea { font-size: 1rem; color: inherit; background: var(--card); width: 100%; min-height: 2.75rem; border: 1px solid var(--field); border-radius: .5rem; padding: .5rem .75rem }
input, select { font-family: inherit }
.filter { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); align-items: end }
textarea { resize: none; line-height: 1.5; font-size: .8125rem; word-break: break-all; field-sizing: content }
[aria-invalid=true] { border-color: var(--bad); border-width: 2px }
.wrong { color: var(--bad) }
.buttons { display: flex; flex-wrap: wrap; gap: .625rem }
.buttons form { flex: 1 1 auto; display: grid }
button { font: inherit; font-weight: 550; cursor: pointer; min-height: 2.75rem; padding: .5rem 1.125rem; border-radius: .5rem; border: 1px solid var(--field); background: var(--card); color: var(--text) }
button:hover { border-color: var(--text) }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
button.main:hover { filter: brightness(1.08) }
summary { min-height: 2.75rem; display: list-item; padding: .5rem 0; cursor: pointer; color: var(--accent); font-weight: 550 }
a.act { display: inline-flex; align-items: center; min-height: 2.75rem; margin: -.75rem 0 }
hr { border: 0; border-top: 1px solid var(--line); margin: 0; width: 100% }`;

const TABLES = `
.tabs { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none }
.tabs a, .more { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .75rem; border-radius: .5rem; text-decoration: none; color: var(--quiet); font-weight: 550 }
.more { padding: 0; color: var(--accent) }
.tabs a:hover, .more:hover { text-decoration: underline }
.tabs a[aria-current] { background: var(--card); color: var(--text); box-shadow: inset 0 0 0 1px var(--line) }
.sums { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(12.5rem, 100%), 1fr)) }
.sums dt { color: var(--quiet); font-size: .875rem }
.sums dd { font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
.head { margin: -.5rem 0; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0 1rem; min-height: 2.75rem }
table { width: 100%; border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
caption { text-align: left }
th { text-align: left; font-weight: 550; color: var(--quiet); padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); white-space: nowrap }
td { padding: .75rem .75rem .75rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
tbody tr:last-child td { border-bottom: 0 }
td.whole { white-space: nowrap }
td.email > div { white-space: nowrap; max-width: 18rem; overflow: hidden; text-overflow: ellipsis }
.text { white-space: pre-wrap }
.id { display: block; max-width: 10.5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
td a.id { min-height: 2.75rem; padding: .75rem 0; margin: -.75rem 0 }
td a.path { display: inline-block; min-height: 2.75rem; padding: .75rem 0; margin: -.75rem 0; overflow-wrap: anywhere }
@media (max-width: 48rem) {
  table, tbody, tr, td { display: block }
  thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  tr { padding: .625rem 0; border-bottom: 1px solid var(--line) }
  tbody tr:last-child { border-bottom: 0 }
  td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .75rem; padding: .1875rem 0; border: 0 }
  td:has(a.id) { align-items: center }
  td.whole { white-space: normal }
  td.email { grid-template-columns: minmax(0, 1fr); gap: 0 }
  td.email > div { max-width: 100% }
  td::before { content: attr(data-name); color: var(--quiet) }
  td > * { min-width: 0 }
  td a.id { max-width: 100%; margin: 0 }
}`;

/** The chart of payments: one colour for each state, which the legend names. */
const CHART = `
.chart { display: block; width: 100%; height: 10rem; border-bottom: 1px solid var(--line) }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .875rem }
.legend li { display: inline-flex; align-items: center; gap: .375rem }
.swatch { width: .75rem; height: .75rem; border-radius: .1875rem }
.bar.success { fill: var(--good) } .swatch.success { background: var(--good) }
.bar.received { fill: var(--accent) } .swatch.received { background: var(--accent) }
.bar.processing { fill: var(--wait) } .swatch.processing { background: var(--wait) }
.bar.retry { fill: var(--bad-ground); stroke: var(--bad) } .swatch.retry { background: var(--bad-ground); border: 1px solid var(--bad) }
.bar.registered { fill: var(--field) } .swatch.registered { background: var(--field) }
.bar.error { fill: var(--bad) } .swatch.error { background: var(--bad) }`;

/** The style of all pages. It is a file of its own, because the policy allows no style in a page. */
const STYLE = [COLOURS, BASICS, FRAME, PARTS, FORMS, TABLES, CHART].join('\n').replaceAll(/\n\s*/g, '\n').trim();

/** The icon in the tab of a browser. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4338ca"/><path d="M9 8h8.5a5 5 0 0 1 2.6 9.2A5.2 5.2 0 0 1 18 25H9zm4 3.4v3.7h3.6a1.85 1.85 0 0 0 0-3.7zm0 6.9v3.3h4.2a1.65 1.65 0 0 0 0-3.3z" fill="#fff"/></svg>`;

/**
 * The only script of the pages, made of the source text of functions. So these functions must not use anything from
 * outside themselves. A page without a stamp is not live.
 */
const SCRIPT = `(${copyOnClick})(window);
if (document.body.dataset.stamp !== undefined) {
(${runTimes})(window);
(${watchSandbox})(window, (${takeParts})(window));
}
`;

type Asset = { readonly path: string; readonly type: string; readonly text: string };

/** A file with the hash of its text in its path, so that a browser can cache it forever. */
const asset = (name: string, ending: string, type: string, text: string): Asset => ({
  path: `/_assets/${name}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ending}`,
  type,
  text,
});

export const ASSETS = {
  style: asset('style', 'css', 'text/css; charset=utf-8', STYLE),
  script: asset('page', 'js', 'text/javascript; charset=utf-8', SCRIPT),
  icon: asset('icon', 'svg', 'image/svg+xml', ICON),
} as const;

/** Adds the routes of the style, the script and the icon. */
export const addAssets = (app: App): void => {
  for (const { path, type, text } of Object.values(ASSETS)) {
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    };
    app.get(path, () => new Response(text, { headers }));
  }
};
