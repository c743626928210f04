import type { Review } from '../../../chain/evm/review.ts';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import type { PayContext } from '../../../flows/pay/context.ts';
import type { PaymentIntent } from '../../../journal/entry.ts';
import { reopenMovement, withMovement } from '../../../journal/movement.ts';
import { isPaymentIntent, type MovementState, stateOf } from '../../../journal/state.ts';
import { approveReviews } from '../../approving.ts';
import type { Cli } from '../../cli.ts';
import { serviceInWords } from '../../confirming.ts';
import { networkOf } from '../../network.ts';
import type { Given } from '../../options.ts';
import { gateOf, pinsOf } from '../../profiles/gate.ts';
import { nodeFor, overridesFrom } from './shared.ts';
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

/** What the steps of a payment work with, but for its journal. */
const contextFor = async (
  cli: Cli,
  given: Given,
  { client, intent }: { readonly client: Client; readonly intent: PaymentIntent },
): Promise<Omit<PayContext, 'movement'>> => ({
  client,
  network: await networkOf(cli, client.service.kind),
  overrides: overridesFrom(given),
  node: await nodeFor(cli, given, intent.chain),
  pins: await pinsOf(cli),
  gate: await gateOf(cli),
  approve: approveWith(cli, client.service),
  on: sayEvents(cli),
});

/** What a payment is begun with. */
type Begun = { readonly client: Client; readonly intent: PaymentIntent; readonly intent_key?: string | undefined };

/** Opens the journal of a payment, and does with it what the steps of the payment do. */
export const withPayment = async <T>(
  cli: Cli,
  given: Given,
  { client, intent, intent_key }: Begun,
  work: (context: PayContext) => Promise<T>,
): Promise<T> => {
  const { profile, kind, baseUrl } = client.service;
  const context = await contextFor(cli, given, { client, intent });
  const beginning = { profile, kind, baseUrl, intent, intent_key };
  return withMovement(cli.io, beginning, (movement) => work({ ...context, movement }));
};

/** A movement that is a payment, and what it is for. */
export type PaymentBegun = MovementState & { readonly intent: PaymentIntent };

/** Takes the journal of a payment up again. Throws as `reopenMovement`. */
export const withReopened = async <T>(
  cli: Cli,
  given: Given,
  { client, id }: { readonly client: Client; readonly id: string },
  work: (context: PayContext, state: PaymentBegun) => Promise<T>,
): Promise<T> => {
  const { movement, recorded } = await reopenMovement(cli.io, id);
  try {
    const state = stateOf(recorded);
    const { intent } = state.begun;
    if (!isPaymentIntent(intent)) throw new Failure('not_found', `the movement ${id} is no payment`);
    return await work({ ...(await contextFor(cli, given, { client, intent })), movement }, { ...state, intent });
  } finally {
    await movement.close();
  }
};
