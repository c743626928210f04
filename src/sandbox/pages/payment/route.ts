import type { Context } from 'hono';
import { actOnCard, actOnPix, decideCard } from '../../charges/act.ts';
import type { App } from '../../http/app.ts';
import { readForm } from '../../http/read-form.ts';
import type { Services } from '../../services.ts';
import { type Html, html } from '../html.ts';
import { backTo, page } from '../page.ts';
import { CARD_BUTTONS, cardView } from './card.ts';
import { type CardField, readCard, wrongFields } from './card-form.ts';
import { cryptoView } from './crypto.ts';
import { outcomeView, paymentView, stepsView } from './facts.ts';
import { findVisit, type Visit } from './find.ts';
import { PIX_BUTTONS, pixView } from './pix.ts';
import { stateView } from './state.ts';

const NONE = html`<div class="card"><h1>No such payment page</h1>
<p>The address is wrong, or the payment got another one since. The newest is in the last answer of create-transaction.</p></div>`;

const notThere = (): Response => page({ http: 404, title: 'No such payment page', main: NONE, isNarrow: true });

/** What is left to do: by the way that the payer pays. */
const methodView = async (visit: Visit, wrong: readonly CardField[]): Promise<Html | undefined> => {
  const { charge, row } = visit;
  if (charge?.kind === 'pix') return pixView(visit, charge);
  if (charge?.kind === 'card') return cardView(visit, wrong);
  const isOpen = row.status === 'registered' || row.status === 'retry';
  return row.transaction_type === 'crypto' && isOpen ? cryptoView(visit) : outcomeView(visit);
};

const pageOf = async (visit: Visit, wrong: readonly CardField[]): Promise<Response> => {
  const { amount_from: amount, from_currency_symbol: currency } = visit.row;
  const main = html`<div class="card">
<h1 class="amount"><span>Payment of</span> ${amount} ${currency}</h1>
<div role="status" id="state" data-live tabindex="-1">${stateView(visit)}</div>
</div>
<div class="pay" id="method" data-live tabindex="-1">${await methodView(visit, wrong)}</div>
<section class="card" id="details" data-live tabindex="-1" aria-labelledby="details-name">
<h2 id="details-name">Details</h2>
${paymentView(visit)}
</section>
<section class="card" id="steps" data-live tabindex="-1" aria-labelledby="steps-name">
${stepsView(visit)}
</section>`;
  // A page that loads itself again would empty the form.
  const isRefreshed = visit.charge?.kind !== 'card';
  return page({ title: `Payment of ${amount} ${currency}`, main, live: visit.live, isNarrow: true, isRefreshed });
};

/** The hosted payment. Whoever has its address may pay or refuse: nobody can guess the token, which is kept as a hash. */
export const addPaymentPages = (app: App, services: Services): void => {
  const visited = ({ req }: Context) => findVisit(services, req.param('id') ?? '', req.query('token') ?? '');
  app.get('/pay/:id', async (context) => {
    const visit = await visited(context);
    return visit ? pageOf(visit, wrongFields(context.req.queries('wrong'))) : notThere();
  });
  const acts = [
    ...PIX_BUTTONS.map(([outcome]) => [`pix/${outcome}`, (id: string) => actOnPix(services, id, outcome)] as const),
    ...CARD_BUTTONS.map(([outcome]) => [`card/${outcome}`, (id: string) => actOnCard(services, id, outcome)] as const),
  ];
  for (const [path, act] of acts) {
    app.post(`/pay/:id/${path}`, async (context) => {
      const visit = await visited(context);
      if (!visit) return notThere();
      // What can no longer be done changes nothing, and the page says how the payment stands.
      await act(visit.row.id);
      return backTo(visit.address);
    });
  }
  app.post('/pay/:id/card', async (context) => {
    const visit = await visited(context);
    if (!visit) return notThere();
    const entered = readCard(await readForm(context.env.incoming), services.clock.now());
    if (!entered.ok) return backTo(visit.address + entered.wrong.map((name) => `&wrong=${name}`).join(''));
    await decideCard(services, visit.row.id, entered.outcome);
    return backTo(visit.address);
  });
};
