import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { isDashboardKey } from '../../address.ts';
import type { App } from '../../http/envelope.ts';
import { latestPayments } from '../../ledger/latest.ts';
import { readWebhookTargets } from '../../ledger/settings.ts';
import type { Services } from '../../services.ts';
import { type Html, html, type Shown, section } from '../html.ts';
import { backTo, liveNow, page } from '../page.ts';
import { chains } from './balances.ts';
import { faults } from './faults.ts';
import { type Filter, filterForm, readFilter } from './filter.ts';
import { kyc } from './kyc.ts';
import { inbox, orders, payments, webhooks } from './listings.ts';
import { paymentView } from './payment.ts';
import { requests, requestView } from './requests.ts';
import type { Listing, Viewer } from './table.ts';
import { yields } from './yield.ts';

const TITLE = 'Dashboard';

/** What the overview shows, in its order. */
const OVERVIEW: readonly Listing[] = [payments, orders, inbox, webhooks, chains];

/** All lists, in the order of their tabs. */
const LISTINGS: readonly Listing[] = [payments, requests, orders, inbox, webhooks, kyc, yields, faults, chains];

/** Browsers keep cookies by host, whatever the port: each sandbox has a name of its own. */
const cookieOf = ({ env }: Context): string => `bursar_${env.incoming.socket.localPort}`;

const GUEST = html`<div class="card small" id="guest"><p>E-mail addresses, codes, webhook addresses and bodies of requests
are hidden. To see them, open the link that <code>bursar sandbox status</code> prints.</p></div>`;

const WRONG_LINK = html`<div class="card"><h1>Not a link of this sandbox</h1>
<p>Ask for the right one with <code>bursar sandbox status</code>, or look at <a href="/">what everybody may see</a>.</p></div>`;

/** One sentence that is read out when something happens. */
const newsView = async ({ ledger }: Services): Promise<Html> => {
  const { rows } = await latestPayments(await ledger(), { most: 1 });
  const [last] = rows;
  return html`<p class="quiet small break" role="status" id="news" data-live>${
    last ? `The newest payment is ${last.id}: ${last.status}.` : 'There is no payment yet.'
  }</p>`;
};

/** What a page of the dashboard is about: its tab and its content, which is nothing for a record that is not there. */
type Part = { readonly tab: string; readonly content: Shown; readonly followsRequests?: boolean | undefined };

const partOf = async (services: Services, viewer: Viewer, { req }: Context): Promise<Part> => {
  const [payment, request, list] = [req.query('payment'), req.query('request'), req.query('list')];
  if (payment !== undefined) return { tab: payments.id, content: await paymentView(services, viewer, payment) };
  if (request !== undefined) return { tab: requests.id, content: requestView(services, viewer, request) };
  const listing = LISTINGS.find(({ id }) => id === list);
  if (listing) {
    const filter = readFilter(listing.filters ?? [], (name) => req.query(name));
    const content = await longView(services, viewer, listing, { filter, before: req.query('before') });
    return { tab: listing.id, content, followsRequests: listing.followsRequests };
  }
  const shortViews = await Promise.all(OVERVIEW.map((each) => shortView(services, viewer, each)));
  return { tab: '', content: html`${await summaryView(services)}${shortViews}` };
};

const dashboard = async (services: Services, viewer: Viewer, context: Context): Promise<Response> => {
  const isOfRequests = context.req.query('list') === requests.id;
  const live = await liveNow(services, isOfRequests);
  const { tab, content } = await partOf(services, viewer, context);
  const main = html`<h1>${TITLE}</h1>
${tabsView(tab || undefined)}
${await newsView(services)}
${!viewer.isOwner && GUEST}
${content ?? html`<p class="card">There is no such record.</p>`}`;
  return page({ http: content === undefined ? 404 : 200, title: TITLE, main, live, isRefreshed: true });
};

/**
 * The dashboard shows the state of the sandbox. Every program on this machine's loopback sees states and amounts. Names of
 * users, links and bodies need the link of `sandbox status`.
 */
export const addDashboard = (app: App, services: Services, controlKey: string): void => {
  app.get('/', async (context) => {
    const key = context.req.query('key');
    if (key === undefined) {
      const isOwner = isDashboardKey(getCookie(context, cookieOf(context)) ?? '', controlKey);
      return dashboard(services, { isOwner }, context);
    }
    if (!isDashboardKey(key, controlKey)) return page({ http: 403, title: TITLE, main: WRONG_LINK, isNarrow: true });
    const answer = backTo('/');
    answer.headers.set('set-cookie', `${cookieOf(context)}=${key}; Path=/; HttpOnly; SameSite=Strict`);
    return answer;
  });
};

/** A span of milliseconds in its largest units. */
const spanOf = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return units.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ');
};

/** The sandbox itself: its time and running chains. The clock ticks and is not replaced on a change. */
const summaryView = async ({ clock, running, ledger }: Services): Promise<Html> => {
  const names = await running();
  const offset = clock.offset();
  const targets = await readWebhookTargets(await ledger());
  return html`<section class="card" aria-labelledby="summary-name">
<h2 class="unseen" id="summary-name">The sandbox</h2>
<dl class="sums">
<div><dt>Sandbox time</dt><dd><time data-clock>${clock.nowIso().slice(0, 19).replace('T', ' ')} UTC</time></dd></div>
<div id="offset" data-live tabindex="-1"><dt>Ahead of this machine</dt><dd>${offset > 0 ? spanOf(offset) : 'not at all'}</dd></div>
<div id="running" data-live tabindex="-1"><dt>Chains that run</dt><dd>${names.length > 0 ? names.join(', ') : 'none yet'}</dd></div>
<div id="targets" data-live tabindex="-1"><dt>Webhooks may go</dt><dd>${targets === 'any' ? 'anywhere' : 'to this machine'}</dd></div>
</dl>
</section>`;
};

const FEW = 6;
const MANY = 50;

/** Ways through the dashboard; `current` is where one is. */
const tabsView = (current: string | undefined): Html => {
  const tab = (id: string | undefined, title: string, href: string) =>
    html`<li><a id="tab-${id ?? 'all'}" href="${href}"${id === current && html` aria-current="page"`}>${title}</a></li>`;
  return html`<nav aria-label="Dashboard"><ul class="tabs">${tab(undefined, 'Overview', './')}${LISTINGS.map(
    ({ id, title }) => tab(id, title, `?list=${id}`),
  )}</ul></nav>`;
};

/** The name of a list, and how long it is. */
const headingOf = ({ id, title }: Listing, count: number | undefined): Html =>
  html`<h2 id="${id}-name">${title}${count !== undefined && html` <span class="quiet">${count}</span>`}</h2>`;

/** The newest of one list, and the way to the rest of it. */
const shortView = async (services: Services, viewer: Viewer, listing: Listing): Promise<Html> => {
  const { id, title, list } = listing;
  const { table, count, next } = await list(services, viewer, { most: FEW, filter: {} });
  const all = html`<a class="more" id="${id}-more" href="?list=${id}">All ${title.toLowerCase()}</a>`;
  return section(id, html`<div class="head">${headingOf(listing, count)}${next !== undefined && all}</div>`, table);
};

/** One list, a page of it at a time. */
const longView = async (
  services: Services,
  viewer: Viewer,
  listing: Listing,
  { filter, before }: { readonly filter: Filter; readonly before: string | undefined },
): Promise<Html> => {
  const { id, list, filters } = listing;
  const { table, count, next } = await list(services, viewer, { before, most: MANY, filter });
  const hrefOf = (more: Filter) => `?${new URLSearchParams({ list: id, ...filter, ...more })}`;
  const ways = html`<div class="head">${before !== undefined && html`<a class="more" id="newest" href="${hrefOf({})}">Newest</a>`}
${next !== undefined && html`<a class="more" id="older" href="${hrefOf({ before: next })}">Older</a>`}</div>`;
  return html`${await listing.above?.(services, viewer)}
${filters && filterForm(id, filters, filter)}
${section(id, html`<div class="head">${headingOf(listing, count)}</div>`, table, ways)}`;
};
