import type { IncomingMessage } from 'node:http';
import type { App } from '../http/envelope.ts';
import { changesOf } from '../ledger/latest.ts';
import type { Services } from '../services.ts';
import { ASSETS } from './assets.ts';
import { type Html, html } from './html.ts';

const LOOK_EVERY_MS = 200;
/** Open pages that are live at once; more have to be loaded again by hand. */
const MAX_STREAMS = 32;

/** What the live pages of the sandbox look at themselves. It is no use of the sandbox, which may end of idleness. */
export const isWatching = ({ url, headers }: IncomingMessage): boolean =>
  /^\/_live(?:\?|$)/.test(url ?? '') || headers['x-watching'] !== undefined;

/**
 * Stands for all that the pages show: it changes with the ledger, with what moves beside it, and with a new start. That of
 * the list of requests also changes with each request.
 */
const stampOf = async (services: Services, isOfRequests: boolean): Promise<string> => {
  const { io, ledger, moves, faults, exchanges } = services;
  const counts = [
    await changesOf(await ledger()),
    moves(),
    faults.changes(),
    ...(isOfRequests ? [exchanges.count()] : []),
  ];
  return [io.processes.pid, ...counts].join('.');
};

/** What a page is made of: the state of all that pages show, the sandbox's time, and the stream of its changes. */
export type Live = { readonly stamp: string; readonly now: number; readonly stream: string };

/** To be asked before anything else of a page is read: what changes meanwhile is then shown a moment later. */
export const liveNow = async (services: Services, isOfRequests = false): Promise<Live> => ({
  stamp: await stampOf(services, isOfRequests),
  now: services.clock.now(),
  stream: isOfRequests ? '/_live?requests' : '/_live',
});

async function* eventsOf(services: Services, isOfRequests: boolean, signal: AbortSignal) {
  let last: string | undefined;
  while (!signal.aborted) {
    const stamp = await stampOf(services, isOfRequests);
    if (stamp !== last) yield new TextEncoder().encode(`data: ${stamp}\n\n`);
    last = stamp;
    await services.io.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
  }
}

/** Server-sent events: the stamp, now and whenever it changes. Ends with the page, or with the sandbox. */
export const addLive = (app: App, services: Services, ended: AbortSignal): void => {
  let open = 0;
  app.get('/_live', ({ env, req }) => {
    const site = req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin') return new Response(null, { status: 403 });
    if (open >= MAX_STREAMS || ended.aborted) return new Response(null, { status: 503 });
    open += 1;
    const isOfRequests = req.query('requests') !== undefined;
    const gone = new AbortController();
    env.outgoing.once('close', () => {
      open -= 1;
      gone.abort();
    });
    return new Response(ReadableStream.from(eventsOf(services, isOfRequests, AbortSignal.any([gone.signal, ended]))), {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  });
};

/** Nothing inline, no frame, nothing from elsewhere; forms come back here alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  // A form has to say where it comes from, and no other site is to see a token.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** How often a browser without script asks again, where nothing is being typed. */
const REFRESH_S = 10;

/** A page before it is written. */
export type Page = {
  readonly http?: number;
  readonly title: string;
  readonly main: Html;
  /** What it was made of, as `liveNow` gave it before; without it the page stays as it is. */
  readonly live?: Live;
  /** Whether it has room for one thing alone. */
  readonly isNarrow?: boolean;
  /** Whether a browser without script loads it again by itself. */
  readonly isRefreshed?: boolean;
  /** Where the name in its head leads, where that is not the dashboard for everybody. */
  readonly home?: string;
};

const OFFLINE = html`<p class="offline" role="status" id="offline" hidden>Not connected: what you see may be old. If the
sandbox has stopped, <code>bursar sandbox start</code> brings it back, and this page goes on.</p>`;

const document = ({ title, main, live, isNarrow, isRefreshed, home = '/' }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · bursar sandbox</title>
${isRefreshed && html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>`}
<link rel="icon" href="${ASSETS.icon.path}">
<link rel="stylesheet" href="${ASSETS.style.path}">
<script src="${ASSETS.script.path}" defer></script>
</head>
<body${isNarrow && html` class="narrow"`}${live && html` data-stamp="${live.stamp}" data-now="${live.now}" data-stream="${live.stream}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="${home}"><img src="${ASSETS.icon.path}" alt="">bursar sandbox</a><span class="tag">Test money only</span></header>
<main id="main" tabindex="-1">
${live && OFFLINE}
${main}
</main>
</body>
</html>
`;

/** A whole page. */
export const page = (parts: Page): Response =>
  new Response(document(parts).html, { status: parts.http ?? 200, headers: PAGE_HEADERS });

/** Back to a page after a form, so that loading it again sends nothing twice. */
export const backTo = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
