import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { parseJson, printJson } from '../../../core/json.ts';
import { isDashboardKey } from '../../address.ts';
import type { App } from '../../http/envelope.ts';
import { anyPayment } from '../../ledger/charges.ts';
import { listEvents } from '../../ledger/events.ts';
import type { Email } from '../../ledger/identities.ts';
import { latestEmails, latestPayments } from '../../ledger/latest.ts';
import { historyOf, type PaymentRow } from '../../ledger/payments.ts';
import { readWebhookTargets } from '../../ledger/settings.ts';
import { receiversOf } from '../../payments/receivers.ts';
import type { Services } from '../../services.ts';
import { facts, type Html, html, mark, mono, moodOf, type Shown, section, stepsOf, time } from '../html.ts';
import { backTo, liveNow, page } from '../page.ts';
import {
  type Column,
  chains,
  EVENT_COLUMNS,
  hidden,
  type Listing,
  listingOf,
  orders,
  payments,
  tableOf,
  type Viewer,
  webhooks,
} from './listings.ts';

const TITLE = 'Dashboard';

/** Browsers keep cookies by host, whatever the port: each sandbox has a name of its own. */
const cookieOf = ({ env }: Context): string => `bursar_${env.incoming.socket.localPort}`;

const GUEST = html`<div class="card small" id="guest"><p>E-mail addresses, codes and webhook addresses are hidden. To see
them, open the link that <code>bursar sandbox status</code> prints.</p></div>`;

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

const partOf = async (services: Services, viewer: Viewer, { req }: Context): Promise<readonly [string, Shown]> => {
  const [payment, list] = [req.query('payment'), req.query('list')];
  if (payment !== undefined) return ['payments', await paymentView(services, viewer, payment)];
  const listing = LISTINGS.find(({ id }) => id === list);
  if (listing) return [listing.id, await longView(services, viewer, listing, req.query('before'))];
  const shortViews = await Promise.all(LISTINGS.map((each) => shortView(services, viewer, each)));
  return ['', html`${await summaryView(services)}${shortViews}`];
};

const dashboard = async (services: Services, viewer: Viewer, context: Context): Promise<Response> => {
  const live = await liveNow(services);
  const [current, part] = await partOf(services, viewer, context);
  const main = html`<h1>${TITLE}</h1>
${tabsView(current || undefined)}
${await newsView(services)}
${!viewer.isOwner && GUEST}
${part ?? html`<p class="card">There is no such payment.</p>`}`;
  return page({ http: part === undefined ? 404 : 200, title: TITLE, main, live, isRefreshed: true });
};

/**
 * The dashboard shows the state of the sandbox and changes nothing. Every program on this machine's loopback sees states
 * and amounts. Names of users and links need the link of `sandbox open`.
 */
export const addDashboard = (app: App, services: Services, controlKey: string): void => {
  app.get('/', async (context) => {
    const key = context.req.query('key');
    if (key === undefined) {
      const isOwner = isDashboardKey(getCookie(context, cookieOf(context)) ?? '', controlKey);
      return dashboard(services, { isOwner }, context);
    }
    if (!isDashboardKey(key, controlKey)) return page({ http: 403, title: TITLE, main: WRONG_LINK, isNarrow: true });
    const rest = new URLSearchParams(context.req.query());
    rest.delete('key');
    const answer = backTo(rest.size > 0 ? `/?${rest}` : '/');
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

/** A subject may hold the code. */
const withoutCode = ({ subject, code }: Email): string => (code ? subject.replaceAll(code, '••••••') : subject);

const COLUMNS = ({ isOwner }: Viewer): readonly Column<Email>[] => [
  { name: 'To', show: ({ to }) => (isOwner ? to : hidden) },
  { name: 'Subject', show: (email) => html`<strong>${isOwner ? email.subject : withoutCode(email)}</strong>` },
  { name: 'Code', show: ({ code }) => (isOwner ? mono(code ?? 'none') : hidden) },
  { name: 'Text', show: ({ text }) => (isOwner ? html`<div class="text">${text}</div>` : hidden) },
  { name: 'Sent', isWhole: true, show: ({ sent_at }) => time(sent_at) },
];

const NO_EMAIL = 'No e-mail yet. The one-time codes of KYC arrive here.';

/** E-mails that were never sent, one-time codes among them. */
const inbox = listingOf('Inbox', { table: 'inbox', latest: latestEmails }, COLUMNS, NO_EMAIL, 'E-mails');

/** What the dashboard lists, in its order. */
const LISTINGS: readonly Listing[] = [payments, orders, inbox, webhooks, chains];

const FEW = 6;
const MANY = 50;

/** Ways through the dashboard; `current` is where one is. */
const tabsView = (current: string | undefined): Html => {
  const tab = (id: string | undefined, title: string, href: string) =>
    html`<li><a id="tab-${id ?? 'all'}" href="${href}"${id === current && html` aria-current="page"`}>${title}</a></li>`;
  return html`<nav aria-label="Dashboard"><ul class="tabs">${tab(undefined, 'Overview', '/')}${LISTINGS.map(
    ({ id, title }) => tab(id, title, `/?list=${id}`),
  )}</ul></nav>`;
};

/** The name of a list, and how long it is. */
const headingOf = ({ id, title }: Listing, count: number): Html =>
  html`<h2 id="${id}-name">${title}${id !== chains.id && html` <span class="quiet">${count}</span>`}</h2>`;

/** The newest of one list, and the way to the rest of it. */
const shortView = async (services: Services, viewer: Viewer, listing: Listing): Promise<Html> => {
  const { id, title, list } = listing;
  const { table, count, next } = await list(services, viewer, { most: FEW });
  const all = html`<a class="more" id="${id}-more" href="/?list=${id}">All ${title.toLowerCase()}</a>`;
  return section(id, html`<div class="head">${headingOf(listing, count)}${next !== undefined && all}</div>`, table);
};

/** One list, a page of it at a time. */
const longView = async (
  services: Services,
  viewer: Viewer,
  listing: Listing,
  before: string | undefined,
): Promise<Html> => {
  const { id, list } = listing;
  const { table, count, next } = await list(services, viewer, { before, most: MANY });
  const ways = html`<div class="head">${before !== undefined && html`<a class="more" id="newest" href="/?list=${id}">Newest</a>`}
${next !== undefined && html`<a class="more" id="older" href="/?${String(new URLSearchParams({ list: id, before: next }))}">Older</a>`}</div>`;
  return section(id, html`<div class="head">${headingOf(listing, count)}</div>`, table, ways);
};

const MAX_EVENTS = 50;

const json = (text: string | null): Shown =>
  text !== null && html`<pre class="code">${printJson(parseJson(text), 2)}</pre>`;

const factsOf = (row: PaymentRow, { isOwner }: Viewer): Html =>
  facts([
    ['Type', row.transaction_type],
    ['Pays', `${row.amount_from} ${row.from_currency_symbol}`],
    ['Receivers get', `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}`],
    ['Receivers', receiversOf(row).map(({ wallet, percent }) => html`<div>${percent} % ${mono(wallet)}</div>`)],
    ['Payer', isOwner ? row.payer_email : row.payer_email && hidden],
    ['Wallet', row.payer_wallet && mono(row.payer_wallet)],
    ['Order', row.order_code && mono(row.order_code)],
    ['Transaction', row.tid_hash && mono(row.tid_hash)],
    ['Tenant', row.tenant_id],
    ['Details', json(row.global_payment_data)],
    ['Error', json(row.data_error)],
    ['Metadata', json(row.metadata)],
  ]);

/** All that is known about one payment; `undefined` when there is none. */
const paymentView = async (services: Services, viewer: Viewer, id: string): Promise<Html | undefined> => {
  const ledger = await services.ledger();
  const row = await anyPayment(ledger, id);
  if (!row) return undefined;
  const events = await listEvents(ledger, id, MAX_EVENTS);
  const heading = html`<div class="head"><h2 class="break" id="facts-name">${mono(row.id)}</h2><span role="status">${mark(moodOf(row.status), row.status)}</span></div>`;
  const deliveries = tableOf('Webhooks of this payment', EVENT_COLUMNS(viewer).slice(1), events, 'No webhook yet.');
  return html`${section('facts', heading, factsOf(row, viewer))}
${section('history', html`<h2 id="history-name">Steps</h2>`, stepsOf(await historyOf(ledger, id)))}
${section('events', html`<h2 id="events-name">Webhooks</h2>`, deliveries)}`;
};
