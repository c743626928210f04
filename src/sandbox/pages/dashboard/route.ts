import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { isDashboardKey } from '../../dashboard-link.ts';
import type { App } from '../../http/app.ts';
import { latestPayments } from '../../ledger/latest.ts';
import type { Services } from '../../services.ts';
import { type Html, html, type Shown } from '../html.ts';
import { liveNow } from '../live.ts';
import { backTo, page } from '../page.ts';
import type { Viewer } from './listing.ts';
import { LISTINGS, longView, overviewView, tabsView } from './lists.ts';
import { paymentView } from './payment.ts';
import { summaryView } from './summary.ts';

const TITLE = 'Dashboard';

/** Browsers keep cookies by host, whatever the port: each sandbox has a name of its own. */
const cookieOf = ({ env }: Context): string => `bursar_${env.incoming.socket.localPort}`;

const GUEST = html`<div class="card small" id="guest"><p>E-mail addresses, codes and webhook addresses are hidden. To see
them, open the link that <code>bursar sandbox status</code> prints.</p></div>`;

const WRONG_LINK = html`<div class="card"><h1>Not a link of this sandbox</h1>
<p>Ask for the right one with <code>bursar sandbox status</code>, or look at <a href="/">what everybody may see</a>.</p></div>`;

/** One sentence that is read out when something happens. */
const newsView = async ({ ledger }: Services): Promise<Html> => {
  const { rows } = await latestPayments(await ledger(), { before: undefined, most: 1 });
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
  return ['', html`${await summaryView(services)}${await overviewView(services, viewer)}`];
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
 * What the sandbox holds, to look at. Whoever reaches this machine's loopback sees states and amounts; what names a
 * person or opens something is for the one who came by the link. Nothing can be changed here.
 */
export const addDashboard = (app: App, services: Services, controlKey: string): void => {
  app.get('/', async (context) => {
    const key = context.req.query('key');
    if (key === undefined) {
      return dashboard(
        services,
        { isOwner: isDashboardKey(getCookie(context, cookieOf(context)) ?? '', controlKey) },
        context,
      );
    }
    if (!isDashboardKey(key, controlKey)) return page({ http: 403, title: TITLE, main: WRONG_LINK, isNarrow: true });
    const answer = backTo('/');
    answer.headers.set('set-cookie', `${cookieOf(context)}=${key}; Path=/; HttpOnly; SameSite=Strict`);
    return answer;
  });
};
