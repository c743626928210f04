import { findChain, isBridgeTo, type Network } from '../../../chain/evm/network.ts';
import type { Review } from '../../../chain/evm/review.ts';
import { chainAndNonceOf } from '../../../chain/evm/transaction.ts';
import { type PausableClient, withMoreTime, withPauses } from '../../../client/call.ts';
import { deploymentOfService, type Service } from '../../../client/service.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { wrap } from '../../../core/screen.ts';
import { escapeText, inSentence, isSameAddress, isSameText } from '../../../core/text.ts';
import type { IdentityRequest, PayContext } from '../../../flows/pay/context.ts';
import { namedBy } from '../../../flows/pay/identity.ts';
import { marketWorth } from '../../../flows/quote/worth.ts';
import { inDoubtOf } from '../../../journal/doubt.ts';
import { isPaymentIntent, type PaymentIntent } from '../../../journal/intents.ts';
import { evmOverrides } from '../../command/chain-options.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { approveReviews } from '../../operations/approving.ts';
import { usualId } from '../../operations/area.ts';
import type { Start } from '../../operations/with-operation.ts';
import { forProfile } from '../../print/next-command.ts';
import { amountsInWords } from '../../print/show-review.ts';
import { nameIn } from '../../print/steps.ts';
import { gateOf, networkOf, pinsOf } from '../../profiles/gate.ts';
import { ofService } from '../../prompt/confirming.ts';
import { beginningOf, type PaymentBeginning } from './beginning.ts';
import { printPaymentEvents } from './journal.ts';
import { nodeOfService } from './plan.ts';

/**
 * Warns, before a payment is signed, of other payments in doubt of the same wallet and chain. Only one of two
 * transactions with the same nonce can land, so the user may settle the earlier one first.
 */
const warnOfDoubtfulPayments = async (
  cli: CommandContext,
  service: Service,
  { from, chain_id, nonce }: Review,
): Promise<void> => {
  for (const { state, part } of await inDoubtOf(cli.io, from, deploymentOfService(service))) {
    const place = chainAndNonceOf(part.signed_transaction);
    const { intent, profile } = state.started;
    if (place.chainId !== chain_id || !isPaymentIntent(intent)) continue;
    const how =
      place.nonce === nonce
        ? `this one has the same nonce, ${nonce}: only one of the two can land`
        : `its nonce is ${place.nonce}, and this one has ${nonce}`;
    const resume = nextStep('operation.resume.earlier', 'pay', await usualId(cli, state));
    const way = commandLine(await forProfile(cli, profile, resume));
    const which = `payment ${state.payment_id ?? state.id} of ${intent.amount} ${intent.currency}`;
    await cli.warn(`${which} from this wallet is in doubt, and ${how}. ${way} settles it first.`);
  }
};

/** Warns before the question if the payer is a receiver too: a wrong address is often the own one. */
export const warnOfOwnWallet = async (cli: CommandContext, { from, moves }: Review): Promise<void> => {
  const own = moves.filter(({ to }) => isSameAddress(to, from));
  if (own.length > 0) await cli.warn(`the payer is a receiver too: ${amountsInWords(own)} goes back to ${from}`);
};

/** How long a payment waits for its payer's documents at a terminal. */
const DOCUMENTS_WAIT_MS = 60 * 60 * 1000;

const explain = async (cli: CommandContext, request: IdentityRequest): Promise<void> => {
  const { sentence, details } = request.failure;
  const lines = [
    `The service asks who the payer is before it takes this payment (${inSentence(details.status ?? 'identity')}): ${sentence}`,
    namedBy(request),
    ...(request.email && request.wallet
      ? ['The e-mail is verified here; a wallet by bursar kyc start --key NAME.']
      : []),
  ];
  for (const line of lines)
    await cli.io.stderr.write(`${wrap(escapeText(line), cli.talkStyle.columns, '  ', cli.talkStyle.unicode)}\n`);
};

/**
 * Asks at a terminal to verify the payer, and runs the verification. It uses the e-mail address of the payment, or
 * else its wallet. The time of the payment is paused meanwhile.
 */
export const identifying =
  (cli: CommandContext, given: ParsedArgs, time: PausableClient): NonNullable<PayContext['identify']> =>
  async (request) => {
    const { email, wallet } = request;
    const payer = email ?? wallet;
    if (!cli.io.prompt.isPossible || payer === undefined) return false;
    await explain(cli, request);
    return time.pauseWhile(async () => {
      const isSandbox = time.client.service.kind === 'sandbox';
      if (!(await cli.io.prompt.confirm(`Verify ${escapeText(payer)} now?`, isSandbox))) return false;
      const { PUBLIC_KYC, walkKyc } = await import('../kyc/walk.ts');
      const { subjectByEmail, subjectByKey } = await import('../kyc/subject.ts');
      // --yes was for the payment: a further verification counts, so it is asked about.
      await walkKyc(
        { ...cli, globals: { ...cli.globals, yes: false } },
        {
          subject: email ? subjectByEmail(email) : await subjectByKey(cli, payer),
          kycType: PUBLIC_KYC,
          client: withMoreTime(time.client, () => DOCUMENTS_WAIT_MS),
          given,
          isOtpStdin: false,
          isOtpSent: false,
          opens: true,
          waits: true,
        },
      );
      return true;
    });
  };

/** Names the intermediary of a payment to receivers on another chain, whose arrival bursar cannot check. */
const intermediaryInWords = (
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

/** Asks to approve a payment. The question names the service, so that test and live cannot be confused. */
const approveWith =
  (cli: CommandContext, service: Service, network: Network, intent: PaymentIntent): PayContext['approve'] =>
  async (review: Review) => {
    const { chain, moves } = review;
    await warnOfDoubtfulPayments(cli, service, review);
    await warnOfOwnWallet(cli, review);
    const amounts = amountsInWords(moves) || 'an unknown amount';
    const where = `${inSentence(chain)}${intermediaryInWords(network, review, intent)}`;
    const question = ofService(service, `Pay ${amounts} on ${where}?`);
    const doubtful = `${question} Some checks need your confirmation.`;
    return approveReviews(cli, { reviews: [review], question, doubtful });
  };

/** Asks a user at a terminal before a step that could pay twice; --yes does not replace it. Asks each question once. */
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

/** The context of the steps of a payment, without its operation. */
export const contextFor = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, intent, stating }: Pick<PaymentBeginning, 'client' | 'intent' | 'stating'>,
): Promise<Omit<PayContext, 'operation'>> => {
  const time = withPauses(client);
  const network = await networkOf(cli, client.service.kind);
  return {
    client: time.client,
    network,
    overrides: evmOverrides(given),
    stating,
    worthOf: marketWorth(time.client),
    node: await nodeOfService(cli, given, { client: time.client, chain: intent.chain }),
    nameOf: nameIn(cli),
    pins: await pinsOf(cli),
    gate: await gateOf(cli),
    isConfirmed: cli.globals.yes,
    queue: cli.batch?.queue,
    approve: approveWith(cli, client.service, network, intent),
    confirmDespiteDoubt: confirmingDespiteDoubt(cli, client.service),
    identify: identifying(cli, given, time),
    on: printPaymentEvents(cli),
  };
};

/** The first record of a payment, and the context of its steps. */
export const startPayment = async (
  cli: CommandContext,
  given: ParsedArgs,
  beginning: PaymentBeginning,
): Promise<Start<Omit<PayContext, 'operation'>>> => ({
  beginning: { ...beginningOf(beginning), others: cli.batch?.others },
  context: await contextFor(cli, given, beginning),
});
