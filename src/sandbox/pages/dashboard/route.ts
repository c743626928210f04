import { getCookie } from 'hono/cookie';
import { isLinkKey, readingCookie } from '../../address.ts';
import type { Control } from '../../control/handler.ts';
import type { App, RequestContext } from '../../http/envelope.ts';
import { latestPayments } from '../../ledger/latest.ts';
import { readWebhookTargets } from '../../ledger/settings.ts';
import type { Services } from '../../services.ts';
import { actForm } from '../acting/forms.ts';
import { addActing } from '../acting/route.ts';
import { type Outcome, openSessions, type Session } from '../acting/sessions.ts';
import { type Content, type Html, html, section, stateBox } from '../html.ts';
import { backTo, isWatching, liveNow, page } from '../page.ts';
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

/** The lists on the overview, in their order. */
const OVERVIEW: readonly Listing[] = [payments, orders, inbox, webhooks, chains];

/** All lists, in the order of their tabs. */
const LISTINGS: readonly Listing[] = [payments, requests, orders, inbox, webhooks, kyc, yields, faults, chains];

/** The name of the cookie. It contains the port, because browsers share cookies between the ports of a host. */
const cookieOf = ({ env }: RequestContext): string => `bursar_${env.incoming.socket.localPort}`;

const GUEST = html`<div class="card small" id="guest"><p>E-mail addresses, codes, webhook addresses and bodies of requests
are hidden. To see them, open the link that <code>bursar sandbox status</code> prints.</p></div>`;

const READING = html`<p class="quiet small" id="reading">To act here, open the acting link that
<code>bursar sandbox status</code> prints at a terminal.</p>`;

const ACTING = html`<p class="quiet small" id="acting">You can act on this sandbox. Each act is shown before it is done.</p>`;

const WRONG_LINK = html`<div class="card"><h1>Not a link of this sandbox</h1>
<p>Ask for the right one with <code>bursar sandbox status</code>, or look at <a href="/">what everybody may see</a>.</p></div>`;

/** A sentence about the newest payment. Screen readers read it aloud after a change. */
const newsView = async ({ ledger }: Services): Promise<Html> => {
  const { rows } = await latestPayments(await ledger(), { limit: 1 });
  const [last] = rows;
  return html`<p class="quiet small break" role="status" id="news" data-live>${
    last ? `The newest payment is ${last.id}: ${last.status}.` : 'There is no payment yet.'
  }</p>`;
};

/** The current tab and the content of a page. The content is `undefined` for a missing record. */
type TabContent = { readonly tab: string; readonly content: Content };

const contentOf = async (services: Services, viewer: Viewer, { req }: RequestContext): Promise<TabContent> => {
  const [payment, request, list] = [req.query('payment'), req.query('request'), req.query('list')];
  if (payment !== undefined) return { tab: payments.id, content: await paymentView(services, viewer, payment) };
  if (request !== undefined) return { tab: requests.id, content: requestView(services, viewer, request) };
  const listing = LISTINGS.find(({ id }) => id === list);
  if (listing) {
    const filter = readFilter(listing.filters ?? [], (name) => req.query(name));
    const content = await longView(services, viewer, listing, { filter, cursor: req.query('before') });
    return { tab: listing.id, content };
  }
  const shortViews = await Promise.all(OVERVIEW.map((each) => shortView(services, viewer, each)));
  return { tab: '', content: html`${await summaryView(services, viewer)}${shortViews}` };
};

/** The rights of the viewer, and the way to more rights. */
const rightsView = ({ isOwner, canAct }: Viewer): Html => {
  if (!isOwner) return GUEST;
  return canAct ? ACTING : READING;
};

const outcomeView = ({ isDone, message }: Outcome): Html =>
  html`<div id="outcome" role="status" tabindex="-1">${stateBox(isDone ? 'good' : 'bad', isDone ? 'Done' : 'Refused: nothing was changed', message)}</div>`;

const dashboard = async (
  services: Services,
  session: Session | undefined,
  isOwner: boolean,
  context: RequestContext,
) => {
  const viewer = { isOwner, canAct: session !== undefined };
  const live = await liveNow(services, context.req.query('list') === requests.id);
  const { tab, content } = await contentOf(services, viewer, context);
  // A fetch by the script must not use up the outcome, which is shown once.
  const outcome = isWatching(context.env.incoming) ? undefined : session?.takeOutcome();
  const main = html`<h1>${TITLE}</h1>
${tabsView(tab || undefined)}
${outcome && outcomeView(outcome)}
${await newsView(services)}
${rightsView(viewer)}
${content ?? html`<p class="card">There is no such record.</p>`}`;
  const http = content === undefined ? 404 : 200;
  // A reload would empty the forms of the page.
  const isRefreshed = !main.html.includes('<form');
  return page({ http, title: TITLE, main, live, isRefreshed, ...(session && { home: './' }) });
};

const USED_LINK = html`<div class="card"><h1>This link was used already</h1>
<p>It opens the dashboard once, within a minute. Run <code>bursar open dashboard</code> for another, or look at
<a href="/">what everybody may see</a>.</p></div>`;

const usedLink = (): Response => page({ http: 403, title: TITLE, main: USED_LINK, isNarrow: true });

/** Redirects to the same address without the key, and sets the key as a cookie. */
const enter = (context: RequestContext, control: Control): Response => {
  const { key: _, once: __, ...query } = context.req.query();
  const others = new URLSearchParams(query);
  const answer = backTo(others.size > 0 ? `/?${others}` : '/');
  const cookie = `${cookieOf(context)}=${readingCookie(control.key)}`;
  answer.headers.set('set-cookie', `${cookie}; Path=/; HttpOnly; SameSite=Strict`);
  return answer;
};

const wrongLink = (): Response => page({ http: 403, title: TITLE, main: WRONG_LINK, isNarrow: true });

/**
 * Adds the dashboard, which shows the state of the sandbox. Every program on this machine's loopback sees states and
 * amounts. Names of users, links and bodies need the link of `sandbox status`. An act needs the acting link, which
 * begins a session.
 */
export const addDashboard = (app: App, services: Services, control: Control): void => {
  const sessions = openSessions(services.io);
  addActing(app, services, control, sessions, (session, context) => dashboard(services, session, true, context));
  app.get('/', async (context) => {
    const [key, acting, once] = ['key', 'act', 'once'].map((name) => context.req.query(name));
    if (once !== undefined) {
      // A HEAD request does not use up the link.
      return context.req.method === 'GET' && control.links.take(once) ? enter(context, control) : usedLink();
    }
    if (acting !== undefined) {
      return isLinkKey(acting, 'acting', control.key) ? backTo(`/act/${sessions.begin()}/`) : wrongLink();
    }
    if (key === undefined) {
      const isOwner = isLinkKey(getCookie(context, cookieOf(context)) ?? '', 'dashboard', control.key);
      return dashboard(services, undefined, isOwner, context);
    }
    return isLinkKey(key, 'dashboard', control.key) ? enter(context, control) : wrongLink();
  });
};

/** A span of milliseconds as text in days, hours, minutes and seconds. */
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

/** A restore of a snapshot sets the clock back. */
const aheadOf = (offset: number): string => {
  const span = spanOf(Math.abs(offset));
  if (span === '') return 'not at all';
  return offset < 0 ? `${span} behind` : span;
};

/** The summary of the sandbox: time, running chains, webhook targets. The clock runs by script, so it is no live part. */
const summaryView = async ({ clock, running, ledger }: Services, { canAct }: Viewer): Promise<Html> => {
  const names = await running();
  const offset = clock.offset();
  const targets = await readWebhookTargets(await ledger());
  return html`<section class="card" aria-labelledby="summary-name">
<h2 class="unseen" id="summary-name">The sandbox</h2>
<dl class="sums">
<div><dt>Sandbox time</dt><dd><time data-clock>${clock.nowIso().slice(0, 19).replace('T', ' ')} UTC</time></dd></div>
<div id="offset" data-live tabindex="-1"><dt>Ahead of this machine</dt><dd>${aheadOf(offset)}</dd></div>
<div id="running" data-live tabindex="-1"><dt>Chains that run</dt><dd>${names.length > 0 ? names.join(', ') : 'none yet'}</dd></div>
<div id="targets" data-live tabindex="-1"><dt>Webhooks may go</dt><dd>${targets === 'any' ? 'anywhere' : 'to this machine'}</dd></div>
</dl>
${canAct && CLOCK_FORM}
</section>`;
};

const CLOCK_FORM = actForm({
  id: 'process.advance',
  button: 'Move the clock',
  fields: [{ name: 'advance', label: 'Move the clock forward by, such as 10m or 1d12h' }],
});

/** The rows of a list on the overview, and of a page of one list. */
const OVERVIEW_ROWS = 6;
const PAGE_ROWS = 50;

/** The tabs of the dashboard; `current` is the id of the open tab. */
const tabsView = (current: string | undefined): Html => {
  const tab = (id: string | undefined, title: string, href: string) =>
    html`<li><a id="tab-${id ?? 'all'}" href="${href}"${id === current && html` aria-current="page"`}>${title}</a></li>`;
  return html`<nav aria-label="Dashboard"><ul class="tabs">${tab(undefined, 'Overview', './')}${LISTINGS.map(
    ({ id, title }) => tab(id, title, `?list=${id}`),
  )}</ul></nav>`;
};

/** The title of a list with the number of its rows. */
const headingOf = ({ id, title }: Listing, count: number | undefined): Html =>
  html`<h2 id="${id}-name">${title}${count !== undefined && html` <span class="quiet">${count}</span>`}</h2>`;

/** The newest rows of one list, and a link to the whole list. */
const shortView = async (services: Services, viewer: Viewer, listing: Listing): Promise<Html> => {
  const { id, title, list } = listing;
  const { table, count, next } = await list(services, viewer, { limit: OVERVIEW_ROWS, filter: {} });
  const all = html`<a class="more" id="${id}-more" href="?list=${id}">All ${title.toLowerCase()}</a>`;
  return section(id, html`<div class="head">${headingOf(listing, count)}${next !== undefined && all}</div>`, table);
};

/** One page of a list. */
const longView = async (
  services: Services,
  viewer: Viewer,
  listing: Listing,
  { filter, cursor }: { readonly filter: Filter; readonly cursor: string | undefined },
): Promise<Html> => {
  const { id, list, filters } = listing;
  const { table, count, next } = await list(services, viewer, { cursor, limit: PAGE_ROWS, filter });
  const hrefOf = (more: Filter) => `?${new URLSearchParams({ list: id, ...filter, ...more })}`;
  const pager = html`<div class="head">${cursor !== undefined && html`<a class="more" id="newest" href="${hrefOf({})}">Newest</a>`}
${next !== undefined && html`<a class="more" id="older" href="${hrefOf({ before: next })}">Older</a>`}</div>`;
  return html`${await listing.above?.(services, viewer)}
${filters && filterForm(id, filters, filter)}
${section(id, html`<div class="head">${headingOf(listing, count)}</div>`, table, pager)}`;
};
