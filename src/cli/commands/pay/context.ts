import type { Review } from '../../../chain/evm/review.ts';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import { beginMovement } from '../../../journal/movement.ts';
import type { Cli } from '../../cli.ts';
import { askAboutDoubts, serviceInWords } from '../../confirming.ts';
import { networkOf } from '../../network.ts';
import type { Given } from '../../options.ts';
import { nodeFor, overridesFrom } from './shared.ts';
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

/** Opens the journal of a payment and puts together what its steps work with. */
export const openPayment = async (
  cli: Cli,
  client: Client,
  given: Given,
  intent: PaymentIntent,
): Promise<PayContext> => {
  const { profile, kind, baseUrl } = client.service;
  const node = await nodeFor(cli, given, intent.chain);
  return {
    client,
    network: await networkOf(cli, kind),
    movement: await beginMovement(cli.io, { profile, kind, baseUrl, intent }),
    overrides: overridesFrom(given),
    node,
    approve: approveWith(cli, client.service),
    on: sayEvents(cli),
  };
};
