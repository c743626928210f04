import type { MiddlewareHandler } from 'hono';
import type { Control } from '../../control/handler.ts';
import { runControl } from '../../control/routes.ts';
import type { App, RequestContext } from '../../http/envelope.ts';
import { readForm } from '../../http/read-input.ts';
import type { Services } from '../../services.ts';
import { facts, type Html, html } from '../html.ts';
import { backTo, page } from '../page.ts';
import { type Act, type ActTexts, describeAct, readAct } from './acts.ts';
import type { Session, Sessions } from './sessions.ts';

/** On the pages of a session, the name in the header links to the session's dashboard. */
const HOME = './';

const refused = (http: number, title: string, text: Html): Response =>
  page({ http, title, main: html`<div class="card"><h1>${title}</h1><p>${text}</p></div>`, isNarrow: true });

const noSession = (): Response =>
  refused(
    403,
    'You cannot act here',
    html`This session has ended or does not exist. <code>bursar sandbox status</code> prints a link
that begins another. Nothing was changed.`,
  );

const usedUp = (): Response =>
  refused(
    403,
    'This form does not count',
    html`It was sent before, it is too old, or it is of another session. Nothing was changed.`,
  );

const onlyPost = (): Response => {
  const answer = refused(405, 'Nothing was changed', html`An act needs the form of its page.`);
  answer.headers.set('allow', 'POST');
  return answer;
};

/**
 * Refuses posts from other origins and posts without an origin. Every browser sends the origin of a posted form. Other
 * programs can use the control.
 */
const ownPageOnly: MiddlewareHandler = async ({ req }, next) => {
  const site = req.header('sec-fetch-site');
  const isOwn = req.header('origin') === `http://${req.header('host')}` && (site ?? 'same-origin') === 'same-origin';
  if (req.method === 'POST' && !isOwn) {
    return refused(403, 'Not from this page', html`Another site sent this, or no page did. Nothing was changed.`);
  }
  await next();
  return undefined;
};

const problemsView = (fields: readonly { readonly field: string; readonly message: string }[]): Html =>
  html`<div class="card"><h1>This cannot be done</h1>
<ul>${fields.map(({ field, message }) => html`<li><strong>${field}</strong>: ${message}</li>`)}</ul>
<p><a href="./">Back to the dashboard</a></p></div>`;

const decisionView = ({ input }: Act, { question, button, back }: ActTexts, token: string): Html =>
  html`<div class="card">
<h1 class="break">${question}</h1>
${facts(Object.entries(input).map(([name, value]) => [name, value === undefined ? undefined : String(value)] as const))}
<p class="quiet">Nothing has changed yet.</p>
<form method="post" action="do"><input type="hidden" name="token" value="${token}"><button type="submit" class="main" id="do">${button}</button></form>
<p><a id="cancel" href="${back}">Cancel</a></p>
</div>`;

/** The confirmation page of an act, with the token of its form. */
const confirmPage = (session: Session, { req, env }: RequestContext): Response => {
  const result = readAct(req.query('do'), env.incoming.url ?? '');
  if (!result) return refused(404, 'There is no such act', html`<a href="./">Back to the dashboard</a>`);
  if (!result.ok)
    return page({
      http: 400,
      title: 'This cannot be done',
      main: problemsView(result.problems),
      isNarrow: true,
      home: HOME,
    });
  const texts = describeAct(result.act);
  const main = decisionView(result.act, texts, session.addForm(result.act));
  return page({ title: texts.question, main, isNarrow: true, home: HOME });
};

/** Runs the act of a posted form by the handler of the control. */
const act = async (
  services: Services,
  control: Control,
  session: Session,
  { env }: RequestContext,
): Promise<Response> => {
  const posted = session.takeForm((await readForm(env.incoming)).get('token') ?? '');
  if (!posted) return usedUp();
  const { http, message } = await runControl({ services, control }, posted.id, posted.input);
  session.finish({ isDone: http < 400, message });
  return backTo(describeAct(posted).back);
};

/** Adds the pages on which the user acts, all under the address of a session. A GET changes nothing. */
export const addActing = (
  app: App,
  services: Services,
  control: Control,
  sessions: Sessions,
  dashboard: (session: Session, context: RequestContext) => Promise<Response>,
): void => {
  app.use('/act/*', ownPageOnly);
  const within =
    (show: (session: Session, context: RequestContext) => Response | Promise<Response>) =>
    async (context: RequestContext) => {
      const session = sessions.find(context.req.param('session') ?? '');
      return session ? show(session, context) : noSession();
    };
  app.get('/act/:session/', within(dashboard));
  app.get('/act/:session/decide', within(confirmPage));
  app.post(
    '/act/:session/do',
    within((session, context) => act(services, control, session, context)),
  );
  app.all('/act/:session/do', onlyPost);
  app.all('/act/*', noSession);
};
