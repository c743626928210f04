import type { Review } from '../../../chain/evm/review.ts';
import { networkFor } from '../../../chain/registry.ts';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import { withMovement } from '../../../journal/movement.ts';
import type { Cli } from '../../cli.ts';
import { askAboutDoubts, serviceInWords } from '../../confirming.ts';
import type { Given } from '../../options.ts';
import { nodeFrom, overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';

/** The money question names the service: test and live must never be mistaken for each other. */
const approveWith =
  (cli: Cli, service: Service): PayContext['approve'] =>
  async (review: Review) => {
    const { chain, moves, verdict } = review;
    const amounts = moves.map(({ amount, token }) => `${amount} ${token}`).join(' + ') || 'an unknown amount';
    const question = `Pay ${amounts} on ${chain} (${serviceInWords(service)})?`;
    if (verdict === 'fine') return cli.confirm(question);
    return askAboutDoubts(cli, review.checks, `${question} The review could not vouch for all of it.`);
  };

/** What a payment is begun with. */
type Begun = { readonly client: Client; readonly intent: PaymentIntent };

/** Opens the journal of a payment, and does with it what the steps of the payment do. */
export const withPayment = async <T>(
  cli: Cli,
  given: Given,
  { client, intent }: Begun,
  work: (context: PayContext) => Promise<T>,
): Promise<T> => {
  const { profile, kind, baseUrl } = client.service;
  const context = {
    client,
    network: networkFor(kind),
    overrides: overridesFrom(given),
    node: nodeFrom(cli, given),
    approve: approveWith(cli, client.service),
    on: sayEvents(cli),
  };
  return withMovement(cli.io, { profile, kind, baseUrl, intent }, (movement) => work({ ...context, movement }));
};
