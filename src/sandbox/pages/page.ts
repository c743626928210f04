import { ASSETS } from './assets.ts';
import { type Html, html } from './html.ts';
import type { Live } from './live.ts';

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
};

const OFFLINE = html`<p class="offline" role="status" id="offline" hidden>Not connected: what you see may be old. If the
sandbox has stopped, <code>bursar sandbox start</code> brings it back, and this page goes on.</p>`;

const document = ({ title, main, live, isNarrow, isRefreshed }: Page): Html => html`<!doctype html>
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
<body${isNarrow && html` class="narrow"`}${live && html` data-stamp="${live.stamp}" data-now="${live.now}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="/"><img src="${ASSETS.icon.path}" alt="">bursar sandbox</a><span class="tag">Test money only</span></header>
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
