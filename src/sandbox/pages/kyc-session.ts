import type { App } from '../http/app.ts';
import { decideSession, visitSession } from '../identity/decide.ts';
import type { Decision } from '../identity/decisions.ts';
import type { Visited } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import { escapeHtml, page } from './html.ts';

const TITLE = 'Identity verification';

/** What a person can decide on the page; leaving it decides nothing. */
const BUTTONS: readonly (readonly [Decision, string])[] = [
  ['approve', 'Approve'],
  ['decline', 'Decline'],
  ['review', 'Send to review'],
];

const STATES: Readonly<Record<string, string>> = {
  pending: 'Waiting for a decision. This is a sandbox: no document is asked for, and you decide.',
  in_review: 'In review. Nothing is left to do here.',
  approved: 'Approved. You can close this page.',
  declined: 'Declined. You can close this page.',
  expired: 'This session has expired. Ask for a new one.',
};

const buttonsOf = (id: string): string =>
  BUTTONS.map(
    ([decision, label]) =>
      `<form method="post" action="/kyc/sessions/${encodeURIComponent(id)}/${decision}"><button>${label}</button></form>`,
  ).join('\n');

const pageOf = ({ session, user }: Visited): Response => {
  const facts = [
    ['E-mail', user.email],
    ['Wallet', user.wallet],
    ['Session', session.id],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`);
  const state = `<p role="status">${escapeHtml(STATES[session.status] ?? session.status)}</p>`;
  return page(
    200,
    TITLE,
    `${state}\n<dl>${facts.join('')}</dl>\n${session.status === 'pending' ? buttonsOf(session.id) : ''}`,
  );
};

/** The hosted verification. Whoever knows the address of a session may decide it: nobody can guess it. */
export const addKycPages = (app: App, services: Services): void => {
  app.get('/kyc/sessions/:id', async ({ req }) => {
    const visited = await visitSession(services, req.param('id'));
    return visited ? pageOf(visited) : page(404, TITLE, '<p>There is no such session.</p>');
  });
  for (const [decision] of BUTTONS) {
    app.post(`/kyc/sessions/:id/${decision}`, async ({ req }) => {
      const id = req.param('id');
      await decideSession(services, id, decision);
      return new Response(null, { status: 303, headers: { location: `/kyc/sessions/${encodeURIComponent(id)}` } });
    });
  }
};
