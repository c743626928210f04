import type { MiddlewareHandler } from 'hono';
import { html } from './html.ts';
import { page } from './page.ts';

/**
 * A form counts only when one of our pages sent it. Browsers say where a request comes from (Fetch Metadata,
 * `Sec-Fetch-Site`), older ones the origin alone; a program that is no browser says neither.
 */
const isOwn = (site: string | undefined, origin: string | undefined, host: string | undefined): boolean => {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === `http://${host}`;
};

/** Refuses what another site makes a browser send: nobody who visits it wants that. */
export const ownOriginOnly: MiddlewareHandler = async ({ req }, next) => {
  const { method } = req;
  if (method === 'POST' && !isOwn(req.header('sec-fetch-site'), req.header('origin'), req.header('host'))) {
    const main = html`<div class="card"><h1>Not from this page</h1><p>Another site sent this. Nothing was changed.</p></div>`;
    return page({ http: 403, title: 'Not from this page', main, isNarrow: true });
  }
  await next();
  return undefined;
};
