import type { SolanaReview } from '../../../chain/solana/review.ts';
import type { Client } from '../../../client/call.ts';
import { openNode, type SolanaNode } from '../../../client/solana-rpc.ts';
import { SOLANA, sandboxChainPath } from '../../../contract/chains.ts';
import { Failure } from '../../../core/failure.ts';
import { escapeText } from '../../../core/text.ts';
import type { YieldEvent } from '../../../flows/yield/context.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/strategies.ts';
import type { Purpose } from '../../../journal/intents.ts';
import { allowOption, FEE_OPTION, nodeOpenedBy, rpcOption, solanaOverrides } from '../../command/chain-options.ts';
import type { CommandContext } from '../../command/command.ts';
import type { OptionDetails } from '../../command/fields.ts';
import { keyOption, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { boolArg, type Option, type ParsedArgs, signingOption, stringArg, stringArgs } from '../../command/options.ts';
import { validatedBy } from '../../command/payment-options.ts';
import { approveReviews } from '../../operations/approving.ts';
import { INTENT_OPTION } from '../../operations/run-once.ts';
import { mark } from '../../print/show-review.ts';
import { nameIn, reviewedStep, sentAgain, step, stepPrinter } from '../../print/steps.ts';
import { gateOf } from '../../profiles/gate.ts';
import { ofService } from '../../prompt/confirming.ts';

/** Options that confirm doubts of the review of a Solana transaction in advance. */
export const ALLOW_OPTIONS: readonly Option[] = [
  allowOption('--allow-program', 'A program that the review does not understand and that may be called'),
  allowOption('--allow-recipient', 'An address of an unknown owner that may receive'),
  FEE_OPTION,
];

export const RPC_OPTION = rpcOption(
  'Your own Solana node: it shows what would happen and what landed, and with --broadcast it sends',
  "the profile's",
);

export const ONE_BY_ONE_OPTION: Option = {
  flag: '--one-by-one',
  heading: 'Signing and sending',
  usual: 'both by one call',
  description: 'Send two transactions by two calls, the second when the first has landed',
};

const PROVIDER = {
  completes: 'providers',
  suggest: async () => (await import('../../prompt/suggestions.ts')).suggestProviders,
} as const;

/** The questions for the fields of an operation, for all endpoints. */
export const YIELD_FIELDS: Readonly<Record<string, OptionDetails>> = {
  provider: { question: 'Provider', ...PROVIDER },
  provider_out: { question: 'Provider to withdraw from', ...PROVIDER },
  provider_in: { question: 'Provider to deposit with', ...PROVIDER },
  // Its description has the example.
  chain_name: {
    question: 'Chain',
    example: undefined,
    completes: 'yield-chains',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestSolana,
  },
  // The token decides which providers take it, and at which rate.
  asset: { question: 'Token', order: -20, completes: 'assets' },
  wallet: {
    question: 'Wallet',
    order: 10,
    ask: async () => (await import('../../prompt/ask-key.ts')).askWallet('solana'),
    validate: validatedBy('validateSolanaWallet'),
  },
  amount: { order: -10, question: 'Amount', sandboxValue: '10', validate: validatedBy('validateYieldAmount') },
  // A reader of the bytes can send them.
  op_signed: { question: 'Signed transaction as base64', isSecret: () => true },
};

/** The questions of an operation that takes money from a provider: its wallet, its position, and the amount. */
export const withdrawalFields = (provider: 'provider' | 'provider_out'): typeof YIELD_FIELDS => {
  const from = provider === 'provider' ? '--provider' : '--provider-out';
  const ofWallet = { follows: ['--wallet', '--key'] } as const;
  const ask = async () => (await import('../../prompt/ask-position.ts')).askPosition(from);
  return {
    ...YIELD_FIELDS,
    wallet: { ...YIELD_FIELDS['wallet'], order: -50 },
    asset: { ...YIELD_FIELDS['asset'], ...ofWallet, order: -40, ask },
    [provider]: { ...YIELD_FIELDS[provider], ...ofWallet, order: -30, ask },
    provider_in: {
      ...YIELD_FIELDS['provider_in'],
      question: 'Provider to move to',
      follows: ['--wallet', '--key', '--asset', from],
      order: -20,
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestTargets,
    },
    chain_name: { ...YIELD_FIELDS['chain_name'], ...ofWallet },
    amount: {
      ...YIELD_FIELDS['amount'],
      follows: ['--wallet', '--key', '--asset', from],
      sandboxValue: undefined,
      ask: async () => (await import('../../prompt/ask-position.ts')).askPositionAmount(from),
    },
  };
};

/** The options that sign and send an operation after it is built. */
export const FLOW_OPTIONS: readonly Option[] = [
  signingOption('--sign', 'Review what was built and sign it with the key; send nothing'),
  {
    ...signingOption('--broadcast', 'Sign it, and send it through the service (or --rpc-url)'),
    question: 'Review, sign and send now?',
    order: 100,
    ask: async () => (await import('../../prompt/ask.ts')).askYesNo,
  },
  keyOption('solana'),
  ...PASSWORD_OPTIONS,
  RPC_OPTION,
  ...ALLOW_OPTIONS,
  INTENT_OPTION,
];

/** Opens the node of the option or the profile, if any. Throws `bad_settings` for an invalid address. */
export const nodeFrom = (
  cli: CommandContext,
  given: ParsedArgs,
  until?: SolanaNode['until'],
): Promise<SolanaNode | undefined> => nodeOpenedBy(openNode)(cli, given, SOLANA, until);

/** The node that shows whether a transaction landed: the user's node, or that of the sandbox. */
export const witnessFor = (client: Client, node: SolanaNode | undefined): SolanaNode | undefined => {
  const { service, io } = client;
  if (node || service.kind !== 'sandbox') return node;
  return openNode(io, service.baseUrl + sandboxChainPath(SOLANA), client);
};

/** Whether the built transaction is also sent. */
export const wantsToSend = (given: ParsedArgs): boolean => boolArg(given, 'broadcast');

/** Whether the built transaction is also signed: with `--sign` or `--broadcast`. */
export const wantsToSign = (given: ParsedArgs): boolean => boolArg(given, 'sign') || wantsToSend(given);

/** Throws `usage` for options of signing or sending without `--sign` or `--broadcast`. */
export const assertMeansSigning = (given: ParsedArgs): void => {
  if (stringArg(given, 'intent') !== undefined && !wantsToSend(given)) {
    throw new Failure('usage', '--intent: it names what is sent, and nothing is sent without --broadcast');
  }
  if (boolArg(given, 'one-by-one') && !wantsToSend(given)) {
    throw new Failure('usage', '--one-by-one: nothing is sent without --broadcast');
  }
  const idle = ['rpc-url', 'allow-program', 'allow-recipient', 'fee-at-most'].filter(
    (name) => stringArg(given, name) !== undefined || stringArgs(given, name).length > 0,
  );
  if (wantsToSign(given) || idle.length === 0) return;
  const names = idle.map((name) => `--${name}`).join(', ');
  throw new Failure('usage', `${names}: nothing is signed without --sign or --broadcast`);
};

const eventLine = (cli: CommandContext, event: YieldEvent, elapsed: number): string | Promise<string> => {
  switch (event.kind) {
    case 'built':
      return step(cli, 'built', event.count === 1 ? 'one transaction' : `${event.count} transactions`, event.took);
    case 'reviewed':
      return reviewedStep(cli, event.review, elapsed);
    case 'signed':
      return step(cli, 'signed', event.hash);
    case 'sends_again':
      return sentAgain(cli);
    case 'landed':
      return step(cli, 'landed', event.hash, event.took);
    case 'expired':
      return `${mark(cli, 'confirm')} ${escapeText(event.hash)} expired and can never land: it is built anew`;
    case 'earlier_dead':
      return `${mark(cli, 'pass')} ${escapeText(event.hash)} of an earlier run moved nothing and never will`;
    case 'set_aside':
      return `note: ${event.operationId} was superseded, and cannot be resumed`;
    case 'positions':
      return event.positions
        .map(({ provider, position }) => step(cli, 'position', `${position ?? 'not known'} with ${provider}`))
        .join('\n');
    default:
      return event satisfies never;
  }
};

/** Prints each step of an operation on stderr. A review with doubts is printed with --quiet too. */
export const printYield = (cli: CommandContext) =>
  stepPrinter(cli, eventLine, (event) => event.kind === 'reviewed' && event.review.verdict !== 'pass');

/** Prints which providers are missing in a result, so that it does not look complete. */
export const printMissingProviders = async (
  print: CommandContext['printNote' | 'warn'],
  silent: readonly UnavailableProvider[],
): Promise<void> => {
  for (const each of silent) await print(escapeText(`${silenceOf(each)}: what it offers is not in here.`));
};

/** The question before transactions are sent; `undefined` for none. */
type ReviewQuestion = (reviews: readonly SolanaReview[]) => string | undefined;

/** The context of an operation that is signed. Loads the network of Solana. */
export const contextFor = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  questionFor: ReviewQuestion = () => undefined,
) => {
  const { solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const node = await nodeFrom(cli, given, client);
  return {
    client,
    node,
    witness: witnessFor(client, node),
    network: solanaNetworkFor(client.service.kind),
    overrides: solanaOverrides(given),
    nameOf: nameIn(cli),
    oneByOne: boolArg(given, 'one-by-one'),
    on: printYield(cli),
    gate: await gateOf(cli),
    isConfirmed: cli.globals.yes,
    // One question for all transactions of an operation. Without a question only doubts are asked about.
    approve: (reviews: readonly SolanaReview[]) => {
      const question = questionFor(reviews);
      const doubtful = `${question ?? ofService(client.service, 'Sign it?')} Some checks need your confirmation.`;
      return approveReviews(cli, { reviews, question, doubtful });
    },
  };
};

/**
 * Throws if an earlier operation may still land, because the new one could then be a duplicate. Returns whether the
 * user was asked and confirmed the new operation. `sending` are the hashes of signed bytes to send.
 */
export const reconcileEarlier = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  requested: Purpose,
  sending: readonly string[] = [],
) => {
  const { solanaNetworkFor } = await import('../../../chain/solana/network.ts');
  const { assertNothingOpen } = await import('../../../flows/yield/earlier.ts');
  let wasAsked = false;
  const looking = {
    client,
    network: solanaNetworkFor(client.service.kind),
    node: witnessFor(client, await nodeFrom(cli, given, client)),
    on: printYield(cli),
    confirmLanded: async (finding: string) => {
      if (!cli.io.prompt.isPossible) return false;
      wasAsked = true;
      const question = `${finding}. Have you looked, and is this to be done all the same?`;
      return cli.io.prompt.confirm(ofService(client.service, question));
    },
  };
  await assertNothingOpen(looking, requested, sending);
  return wasAsked;
};
