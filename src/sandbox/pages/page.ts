import type { IncomingMessage } from 'node:http';
import type { App } from '../http/envelope.ts';
import { changesOf } from '../ledger/latest.ts';
import type { Services } from '../services.ts';
import { ASSETS } from './assets.ts';
import { type Html, html } from './html.ts';

const CHECK_EVERY_MS = 200;
/** The maximum number of live pages. The user must reload any further page by hand. */
const MAX_STREAMS = 32;

/**
 * Whether a request comes from the script of an open page or a watching client. It is no activity: an idle sandbox
 * stops.
 */
export const isWatching = ({ url, headers }: IncomingMessage): boolean =>
  /^\/_live(?:\?|$)/.test(url ?? '') || headers['x-watching'] !== undefined;

/**
 * A stamp that changes with all data of the pages: the ledger, nudges, faults, and a new start of the sandbox. The
 * stamp of the list of requests also changes with each request.
 */
const stampOf = async (services: Services, isOfRequests: boolean): Promise<string> => {
  const { io, ledger, nudges, faults, exchanges } = services;
  const counts = [
    await changesOf(await ledger()),
    nudges(),
    faults.changes(),
    ...(isOfRequests ? [exchanges.count()] : []),
  ];
  return [io.processes.pid, ...counts].join('.');
};

/**
 * The data of a live page: the stamp of its data, the sandbox's time in milliseconds, and the path of the stream of
 * stamps.
 */
export type Live = { readonly stamp: string; readonly now: number; readonly stream: string };

/**
 * The live data of a page. Call it before any other read: a change during the read then has a newer stamp and shows
 * later.
 */
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
    await services.io.clock.sleep(CHECK_EVERY_MS, signal).catch(() => undefined);
  }
}

/**
 * Adds the stream of server-sent events: the stamp at the start and after each change. It ends with the page or the
 * sandbox.
 */
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

/** The policy: nothing inline, no frames, nothing from other origins; forms only post to this origin. */
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
  // Without any referrer, browsers would send forms without their origin. Other sites must not see the token in an
  // address.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** A browser without script reloads a page without forms after this time. */
const REFRESH_S = 10;

/** The parts of a page. */
export type Page = {
  readonly http?: number;
  readonly title: string;
  readonly main: Html;
  /** The result of `liveNow`, from before the read of the page's data. Without it the page does not update. */
  readonly live?: Live;
  /** Whether the page has one narrow column. */
  readonly isNarrow?: boolean;
  /** Whether a browser without script reloads the page by itself. */
  readonly isRefreshed?: boolean;
  /** The link of the name in the header; by default the dashboard for everybody. */
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

/** A page as an HTTP response. */
export const page = (parts: Page): Response =>
  new Response(document(parts).html, { status: parts.http ?? 200, headers: PAGE_HEADERS });

/** Redirects to a page after a form, so that a reload does not send the form twice. */
export const backTo = (location: string): Response =>
  new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
