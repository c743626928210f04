import type { MiddlewareHandler } from 'hono';
import type { Control } from '../control/handler.ts';
import type { App } from '../http/envelope.ts';
import { type Decision, decideSession, visitSession } from '../identity/session.ts';
import type { SessionWithUser } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import { addAssets } from './assets.ts';
import { addDashboard } from './dashboard/route.ts';
import { decisionForms, facts, type Html, html, type Mood, mono, stateBox } from './html.ts';
import { addLive, backTo, liveNow, page } from './page.ts';
import { addPaymentPages } from './payment/route.ts';

/** Adds all routes for browsers. */
export const addPages = (app: App, services: Services, control: Control): void => {
  app.use('/kyc/sessions/*', ownOriginOnly);
  app.use('/pay/*', ownOriginOnly);
  // These pages change the state without the control.
  for (const path of ['/kyc/sessions/*', '/pay/*']) app.use(path, (_, next) => services.together(next));
  addAssets(app);
  addLive(app, services, control.ended);
  addKycPages(app, services);
  addPaymentPages(app, services);
  addDashboard(app, services, control);
  addReference(app, services, control);
};

/** Adds the reference of the service. Its module loads on first use. */
const addReference = (app: App, services: Services, control: Control): void => {
  const reference = () => import('./reference.ts');
  const here = async () => ({ version: (await control.health()).version, baseUrl: services.url() });
  app.get('/reference', async () => (await reference()).referencePage(await here()));
  app.get('/openapi.json', async () => (await reference()).openApiDocument(await here()));
};

/**
 * Whether a form comes from a page of this sandbox. Browsers send `Sec-Fetch-Site` (Fetch Metadata); older browsers
 * send the origin only. A program without these headers is no browser, and passes.
 */
const isOwn = (site: string | undefined, origin: string | undefined, host: string | undefined): boolean => {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || origin === `http://${host}`;
};

/** Refuses posts from pages of other sites. */
const ownOriginOnly: MiddlewareHandler = async ({ req }, next) => {
  const { method } = req;
  if (method === 'POST' && !isOwn(req.header('sec-fetch-site'), req.header('origin'), req.header('host'))) {
    const main = html`<div class="card"><h1>Not from this page</h1><p>Another site sent this. Nothing was changed.</p></div>`;
    return page({ http: 403, title: 'Not from this page', main, isNarrow: true });
  }
  await next();
  return undefined;
};

const TITLE = 'Identity verification';

/** The decisions on the page with the texts of their buttons. */
const BUTTONS: readonly (readonly [Decision, string])[] = [
  ['approve', 'Approve'],
  ['decline', 'Decline'],
  ['review', 'Send to review'],
];

const STATES: Readonly<Record<string, readonly [Mood, string, string]>> = {
  pending: ['wait', 'Waiting for a decision', 'This is a sandbox: no document is asked for, and you decide.'],
  in_review: ['wait', 'In review', 'Nothing is left to do here.'],
  approved: ['good', 'Approved', 'You can close this page.'],
  declined: ['bad', 'Declined', 'You can close this page.'],
  expired: ['bad', 'Expired', 'This session has expired. Ask for a new one.'],
};

const addressOf = (id: string): string => `/kyc/sessions/${encodeURIComponent(id)}`;

const buttonsOf = (id: string): Html =>
  html`<h2>Decide as the verification's provider</h2>
${decisionForms(BUTTONS, (decision) => `${addressOf(id)}/${decision}`)}`;

const mainOf = ({ session, user }: SessionWithUser): Html => {
  const state = STATES[session.status] ?? ['wait', session.status, ''];
  const rows = [
    ['E-mail', user.email],
    ['Wallet', user.wallet && mono(user.wallet)],
    ['Session', mono(session.id)],
  ] as const;
  return html`<div class="card">
<h1>${TITLE}</h1>
<div role="status" id="state" data-live tabindex="-1">${stateBox(...state)}</div>
${facts(rows)}
<div class="field" id="decisions" data-live tabindex="-1">${session.status === 'pending' && buttonsOf(session.id)}</div>
</div>`;
};

const NONE = html`<div class="card"><h1>${TITLE}</h1><p>There is no such session.</p></div>`;

/** Adds the hosted verification pages. The address is the permission to decide a session: the session's id is random. */
const addKycPages = (app: App, services: Services): void => {
  app.get('/kyc/sessions/:id', async ({ req }) => {
    const live = await liveNow(services);
    const visited = await visitSession(services, req.param('id'));
    if (!visited) return page({ http: 404, title: TITLE, main: NONE, isNarrow: true });
    return page({ title: TITLE, main: mainOf(visited), live, isNarrow: true, isRefreshed: true });
  });
  for (const [decision] of BUTTONS) {
    app.post(`/kyc/sessions/:id/${decision}`, async ({ req }) => {
      const id = req.param('id');
      await decideSession(services, id, decision);
      return backTo(addressOf(id));
    });
  }
};
