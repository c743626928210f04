import type { Review } from '../../../chain/evm/review.ts';
import { networkFor } from '../../../chain/registry.ts';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import { beginMovement } from '../../../journal/movement.ts';
import { approveReviews } from '../../approving.ts';
import type { Cli } from '../../cli.ts';
import { serviceInWords } from '../../confirming.ts';
import type { Given } from '../../options.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import { nodeFrom, overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';

/** The money question names the service: test and live must never be mistaken for each other. */
const approveWith =
  (cli: Cli, service: Service): PayContext['approve'] =>
  (review: Review) => {
    const { chain, moves } = review;
    const amounts = moves.map(({ amount, token }) => `${amount} ${token}`).join(' + ') || 'an unknown amount';
    const question = `Pay ${amounts} on ${chain} (${serviceInWords(service)})?`;
    const doubtful = `${question} The review could not vouch for all of it.`;
    return approveReviews(cli, { reviews: [review], question, doubtful });
  };

/** Opens the journal of a payment and puts together what its steps work with. */
export const openPayment = async (
  cli: Cli,
  client: Client,
  given: Given,
  intent: PaymentIntent,
): Promise<PayContext> => {
  const { profile, kind, baseUrl } = client.service;
  const node = nodeFrom(cli, given);
  const pins = await pinsOf(cli);
  const gate = await gateOf(cli);
  return {
    client,
    network: networkFor(kind),
    movement: await beginMovement(cli.io, { profile, kind, baseUrl, intent }),
    overrides: overridesFrom(given),
    node,
    pins,
    gate,
    approve: approveWith(cli, client.service),
    on: sayEvents(cli),
  };
};
