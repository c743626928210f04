import { type Acted, actOnCard, actOnPix, pixOf } from '../charges/act.ts';
import type { Answer } from '../http/envelope.ts';
import type { Services } from '../services.ts';
import { missing, ok, type Route, withInput } from './route.ts';
import { MONEY_INPUTS } from './shapes.ts';

const answerOf = (acted: Acted): Answer => {
  if (!acted.ok) return acted;
  const { payment_id, status } = acted;
  return ok('payment_changed', `The payment is ${status}.`, { payment_id, status });
};

/** What a payer's bank and card issuer do. */
export const moneyRoutes = (services: Services): readonly Route[] => [
  [
    'GET',
    'pix',
    (context) =>
      withInput(context, MONEY_INPUTS.pixOf, async ({ payment_id }) => {
        const pix = await pixOf(services, payment_id);
        return pix ? ok('pix_found', 'The charge.', pix) : missing('pix_not_found', 'The payment waits for no Pix.');
      }),
  ],
  [
    'POST',
    'pix',
    (context) =>
      withInput(context, MONEY_INPUTS.pix, async ({ payment_id, outcome }) =>
        answerOf(await actOnPix(services, payment_id, outcome)),
      ),
  ],
  [
    'POST',
    'card',
    (context) =>
      withInput(context, MONEY_INPUTS.card, async ({ payment_id, outcome }) =>
        answerOf(await actOnCard(services, payment_id, outcome)),
      ),
  ],
];
