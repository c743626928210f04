import { findChain, isBridgeTo, type Network } from '../../../chain/evm/network.ts';
import type { Review } from '../../../chain/evm/review.ts';
import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import { inSentence } from '../../../core/remote-text.ts';
import { isSameText } from '../../../core/same-text.ts';
import { deploymentOfService } from '../../../flows/deployment.ts';
import type { PayContext, StatedFacts } from '../../../flows/pay/context.ts';
import { marketWorth } from '../../../flows/quote/worth.ts';
import type { PaymentIntent } from '../../../journal/intents.ts';
import type { OperationStart } from '../../../journal/operation.ts';
import type { Statement } from '../../../journal/statement.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { withPauses } from '../../context/pausable-client.ts';
import { approveReviews } from '../../operations/approving.ts';
import type { Start } from '../../operations/with-operation.ts';
import { nameIn } from '../../print/known-names.ts';
import { amountsInWords } from '../../print/show-review.ts';
import { gateOf, networkOf, pinsOf } from '../../profiles/gate.ts';
import { ofService } from '../../prompt/confirming.ts';
import { identifying } from './identify.ts';
import { nodeOfService, overridesFrom } from './shared.ts';
import { sayEvents } from './show.ts';

/** Whoever is paid in place of the receivers, who are to be paid on another chain: nothing here can see what arrives there. */
const inBetween = (
  network: Network,
  { chain, moves }: Review,
  { to_chain: toChain, receivers }: PaymentIntent,
): string => {
  const others = moves.map(({ to }) => to).filter((to) => !receivers.some(({ wallet }) => isSameText(wallet, to)));
  if (toChain === undefined || isSameText(toChain, chain) || others.length === 0) return '';
  if (others.every((to) => isBridgeTo(findChain(network, chain), toChain, to))) {
    return ` to the sandbox's bridge, which pays the receivers on ${inSentence(toChain)}`;
  }
  return ` to ${[...new Set(others)].join(' and ')}, on whose word alone the receivers are paid on ${inSentence(toChain)}`;
};

/** The money question names the service: test and live must never be mistaken for each other. */
const approveWith =
  (cli: CommandContext, service: Service, network: Network, intent: PaymentIntent): PayContext['approve'] =>
  async (review: Review) => {
    const { chain, moves } = review;
    await (await import('./say-in-doubt.ts')).sayInDoubt(cli, service, review);
    const amounts = amountsInWords(moves) || 'an unknown amount';
    const question = ofService(service, `Pay ${amounts} on ${inSentence(chain)}${inBetween(network, review, intent)}?`);
    const doubtful = `${question} Some checks need your confirmation.`;
    return approveReviews(cli, { reviews: [review], question, doubtful });
  };

/** What could pay twice takes the user at a terminal: --yes does not stand for it. One yes covers the same question. */
export const confirmingDespiteDoubt = (
  cli: CommandContext,
  service: Service,
): NonNullable<PayContext['confirmDespiteDoubt']> => {
  const confirmed = new Set<string>();
  return async (question) => {
    if (!cli.io.prompt.isPossible) return false;
    if (!confirmed.has(question) && !(await cli.io.prompt.confirm(ofService(service, question)))) return false;
    confirmed.add(question);
    return true;
  };
};

/** What the steps of a payment work with, but for its journal. */
export const contextFor = async (
  cli: CommandContext,
  given: ParsedArgs,
  {
    client,
    intent,
    stating,
  }: { readonly client: Client; readonly intent: PaymentIntent; readonly stating: StatedFacts },
): Promise<Omit<PayContext, 'operation'>> => {
  const time = withPauses(client);
  const network = await networkOf(cli, client.service.kind);
  return {
    client: time.client,
    network,
    overrides: overridesFrom(given),
    stating,
    worthOf: marketWorth(time.client),
    node: await nodeOfService(cli, given, { client: time.client, chain: intent.chain }),
    nameOf: nameIn(cli),
    pins: await pinsOf(cli),
    gate: await gateOf(cli),
    isConfirmed: cli.globals.yes,
    approve: approveWith(cli, client.service, network, intent),
    confirmDespiteDoubt: confirmingDespiteDoubt(cli, client.service),
    identify: identifying(cli, given, time),
    on: sayEvents(cli),
  };
};

/** What a payment is begun with. */
type PaymentBeginning = Pick<OperationStart, 'intent_key' | 'payment_id' | 'inputs'> & {
  readonly client: Client;
  readonly intent: PaymentIntent;
  readonly stating: StatedFacts;
  /** What this command states; earlier statements are in the journal already. */
  readonly stated: Statement;
};

const beginningOf = ({ client, intent, intent_key, payment_id, inputs, stated }: PaymentBeginning): OperationStart => ({
  ...deploymentOfService(client.service),
  intent,
  intent_key,
  payment_id,
  inputs,
  stated,
});

/** Throws `refused_by_review` for a payment that the policy would let nobody sign: nothing is registered for it. */
export const assertAllowed = async (cli: CommandContext, beginning: PaymentBeginning): Promise<void> => {
  const gate = await gateOf(cli);
  if (gate === undefined) return;
  const { askedOf, assertAsked } = await import('../../../flows/pay/asked.ts');
  const asked = askedOf(beginning.intent, await networkOf(cli, beginning.client.service.kind));
  await assertAsked(cli.io, gate, asked, beginningOf(beginning));
};

/** The start of a payment, and what the steps of the payment work with. */
export const startPayment = async (
  cli: CommandContext,
  given: ParsedArgs,
  beginning: PaymentBeginning,
): Promise<Start<Omit<PayContext, 'operation'>>> => ({
  beginning: beginningOf(beginning),
  context: await contextFor(cli, given, beginning),
});
