import { checkStated } from '../../../chain/review/check.ts';
import { type Client, checkInput, type Input, prepare } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { rebalance } from '../../../contract/yield/rebalance.ts';
import { strategiesOf } from '../../../contract/yield/strategies.ts';
import { Failure, valueOn } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence, isSameText } from '../../../core/text.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import { unstatedIn, YIELD_WORDS } from '../../../flows/statement.ts';
import type { RankedStrategy } from '../../../flows/yield/best.ts';
import type { YieldAction, YieldRequest } from '../../../flows/yield/request.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/strategies.ts';
import type { YieldIntent } from '../../../journal/intents.ts';
import { factsOf, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { buildInput } from '../../command/build-input.ts';
import { solanaOverrides } from '../../command/chain-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { printReceipt } from '../../operations/area.ts';
import { checkYieldAmount } from '../../operations/check-amounts.ts';
import { resumeOne } from '../../operations/resumable.ts';
import { assertConfirmableOrRepeat, intentKey, runOnce, warnOfNewJournal } from '../../operations/run-once.ts';
import { addressOfKey, chooseKey, type KeyChoice, withSigningKey } from '../../operations/signing-key.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { showRequests } from '../../print/dry-run.ts';
import { askAboutDoubts, ofService } from '../../prompt/confirming.ts';
import { contextFor, nodeFrom, printMissingProviders, reconcileEarlier, wantsToSend, wantsToSign } from './context.ts';
import { receiptOf, receiptOfEnded, signedAnswer, YIELDS } from './journal.ts';
import { RESUMING } from './resume.ts';

/** Adds the wallet of the key, unless the input names one. */
const withWalletOf = (input: Input, address: string | undefined): Input =>
  input['wallet'] !== undefined || input['signer'] !== undefined || address === undefined
    ? input
    : { ...input, wallet: address };

/** Throws `invalid_input` if the key is not that of the wallet. */
const assertOwnWallet = ({ intent }: YieldRequest, name: string, address: string | undefined): void => {
  if (address === undefined || intent.wallet === address) return;
  const message = `is ${intent.wallet}, and the key ${name} is that of ${address}`;
  throw new Failure('invalid_input', `nothing was sent: the wallet ${message}`, {
    errors: [{ field: 'wallet', message }],
  });
};

type SigningJob = {
  readonly client: Client;
  readonly request: YieldRequest;
  readonly name: string;
  /** Whether bursar chose the target provider by the rates, and the user confirmed it. */
  readonly isTargetChosen: boolean;
};

const signOnly = (cli: CommandContext, given: ParsedArgs, { client, request, name, isTargetChosen }: SigningJob) =>
  withSigningKey(cli, given, { name, chain: 'solana' }, async (key) => {
    const { signYield } = await import('../../../flows/yield/prepare.ts');
    const context = await contextFor(cli, given, client);
    const signed = await signYield(context, request, key, statedOf(request.intent, isTargetChosen));
    await cli.printResult(signedAnswer(request.intent, signed, client.service));
  });

/** The statement of an operation: its options, and the chosen provider as confirmed by the user. */
const statedOf = (intent: YieldIntent, isTargetChosen: boolean): Statement => {
  const facts = factsOf(intent);
  const options = statementOf(facts, 'options');
  return isTargetChosen ? withLater(options, statementOf({ provider_in: facts.provider_in }, 'confirmed')) : options;
};

const moveMoney = async (cli: CommandContext, given: ParsedArgs, signing: SigningJob): Promise<void> => {
  const { client, request, name, isTargetChosen } = signing;
  const { runYield } = await import('../../../flows/yield/run.ts');
  const { inWords } = await import('../../../flows/yield/request.ts');
  const { input, intent } = request;
  const start = async () => {
    const question = ofService(client.service, `${inWords(intent)} on ${intent.chain}?`);
    const context = await contextFor(cli, given, client, () => question);
    // A rebuild of the transaction needs the fields of a body file that are not in the intent.
    const own = { intent, intent_key: intentKey(given), inputs: { operation: input } };
    const beginning = { ...deploymentOfService(client.service), ...own, stated: statedOf(intent, isTargetChosen) };
    const warned = await warnOfNewJournal(cli, client.service.kind, intentKey(given));
    return { beginning, context, warned };
  };
  await withOperation(
    cli,
    { area: YIELDS, key: { given, name, chain: 'solana' }, start },
    (context, key) => runYield(context, request, key),
    async (operated, { operation, warned }) => {
      const receipt = { ...receiptOf(intent, operated, client.service), [WIRE_ID]: operation.id, ...warned };
      await printReceipt(YIELDS, cli.printCommitted, receipt);
    },
  );
};

/** Runs an operation once: an operation with the same key is resumed, or its outcome is printed. */
const moveOnce = async (cli: CommandContext, given: ParsedArgs, signing: SigningJob) => {
  const { client, request } = signing;
  const operationKey = { intent: request.intent, key: intentKey(given) };
  const print = (receipt: unknown) => printReceipt(YIELDS, cli.printCommitted, receipt);
  await runOnce(cli, YIELDS, client.service, operationKey, {
    needsConfirmation: true,
    reconcileEarlier: () => reconcileEarlier(cli, given, client, request.intent),
    start: () => moveMoney(cli, given, signing),
    resume: ({ id }) => resumeOne(cli, given, RESUMING, { client, id, print }),
    printOutcome: (state) => print(receiptOfEnded(state)),
  });
};

/** Whether a node is required: without a terminal, for money that goes to a provider on a live chain. */
const needsNode = async (cli: CommandContext, action: YieldAction): Promise<boolean> => {
  if (action === 'withdraw' || cli.io.prompt.isPossible) return false;
  const { as } = await cli.selection();
  return as === 'named' || as === 'unnamed';
};

/** The key that signs; without one named, the key of --wallet. */
const chooseOwnKey = async (cli: CommandContext, given: ParsedArgs): Promise<KeyChoice> => {
  const [chosen, wallet] = [await chooseKey(cli, given, 'solana'), stringArg(given, 'wallet')];
  if (chosen.name !== undefined || wallet === undefined) return chosen;
  const own = await openKeystore(cli.io).find(wallet).catch(valueOn('key_not_found', undefined));
  return own ? { name: own.name } : chosen;
};

/** Builds, reviews and signs an operation, and sends it with `--broadcast`. */
export const operate = async (cli: CommandContext, given: ParsedArgs, action: YieldAction): Promise<void> => {
  const [{ YIELD_ACTIONS, yieldRequestOf }, { NEEDS_NODE }, { name = '', problem }] = await Promise.all([
    import('../../../flows/yield/request.ts'),
    import('../../../flows/yield/prepare.ts'),
    chooseOwnKey(cli, given),
  ]);
  const gathered = await buildInput(cli, [YIELD_ACTIONS[action]], {}, given);
  const node = await nodeFrom(cli, given);
  const ofNode = (await needsNode(cli, action)) ? { '--rpc-url': node?.url } : {};
  required<string>({ '--key': name, ...ofNode }, { '--key': problem, '--rpc-url': NEEDS_NODE });
  const address = await addressOfKey(cli, name);
  const input = withWalletOf(gathered, address);
  // Wrong input fails before any request or question.
  assertOwnWallet(yieldRequestOf(action, withPendingTarget(input)), name, address);
  await checkYieldAmount(cli, input);
  solanaOverrides(given);
  if (wantsToSend(given)) {
    const { intent } = yieldRequestOf(action, withPendingTarget(input));
    await assertConfirmableOrRepeat(cli, () => ({ intent, key: intentKey(given) }));
  }
  const complete = await withTarget(cli, given, input);
  if (!complete) return;
  const request = yieldRequestOf(action, complete);
  const client = await cli.client();
  const signing = { client, request, name, isTargetChosen: lacksTarget(input) };
  if (wantsToSend(given)) return moveOnce(cli, given, signing);
  await reconcileEarlier(cli, given, client, request.intent);
  return signOnly(cli, given, signing);
};

/** Completes the input of a command that only builds: adds the wallet of the named key, and the target. */
export const completeYield = async (
  cli: CommandContext,
  given: ParsedArgs,
  input: Input,
): Promise<Input | undefined> => {
  const name = stringArg(given, 'key');
  return withTarget(cli, given, name === undefined ? input : withWalletOf(input, await addressOfKey(cli, name)));
};

/** The placeholder for a provider that is chosen later. */
const PENDING = 'the-best-provider';

/** Whether a rebalance names its source provider, but no target provider. */
const lacksTarget = (input: Input): boolean =>
  input['provider_out'] !== undefined && input['provider_in'] === undefined && input['provider'] === undefined;

/** A rebalance with a placeholder for its target, so that the other fields can be validated. */
const withPendingTarget = (input: Input): Input => (lacksTarget(input) ? { ...input, provider_in: PENDING } : input);

const rateOf = ({ provider, apy_percent, with_rewards }: RankedStrategy): string =>
  `${inSentence(provider)} yields ${apy_percent} % a year${with_rewards ? ' with rewards' : ''}`;

/** Throws `unavailable` if the rate of the source provider is unknown: there is nothing to compare with. */
const assertRateKnown = (asset: string, out: string, silent: readonly UnavailableProvider[]): void => {
  const unavailable = silent.find(({ provider }) => isSameText(provider, out));
  if (!unavailable) return;
  throw new Failure('unavailable', `what ${asset} yields at ${out} now is not known: nothing was moved`, {
    hint: `${silenceOf(unavailable)}. Try again later, or name the provider with --provider-in.`,
    next: nextStep('yield.strategies', asset),
  });
};

/** Compares the best rate with the rate of the source provider. */
const compareRates = async (cli: CommandContext, asset: string, out: string) => {
  const { rankStrategies } = await import('../../../flows/yield/best.ts');
  const { compareDecimals } = await import('../../../core/decimal.ts');
  const { ranked, silent } = await rankStrategies(await cli.client(), asset, [out]);
  await printMissingProviders(cli.warn, silent);
  assertRateKnown(asset, out, silent);
  const best = ranked[0] as RankedStrategy;
  const now = ranked.find(({ provider }) => isSameText(provider, out));
  return { best, now, isBetter: now === undefined || compareDecimals(best.apy_percent, now.apy_percent) > 0 };
};

/** The symbol of a token for the list of strategies. The input may name the mint instead. */
const symbolIn = async (cli: CommandContext, input: Input): Promise<string> => {
  const name = String(input['asset'] ?? input['symbol'] ?? input['token_mint'] ?? input['mint']);
  const { solanaNetworkFor, tokenNamed } = await import('../../../chain/solana/network.ts');
  const { service } = await cli.client();
  return tokenNamed(solanaNetworkFor(service.kind), name)?.symbol ?? name;
};

/** Checks the name of a provider, which is sent, shown and recorded. Throws `unexpected_answer`. */
const checkedName = (provider: string): string => {
  if (/^\w[\w.:-]{0,99}$/.test(provider)) return provider;
  throw new Failure('unexpected_answer', `the service names a provider that is none: ${inSentence(provider)}`);
};

const showFirst = async (cli: CommandContext, asset: string): Promise<undefined> => {
  const { service } = await cli.client();
  await cli.printNote(`then ${rebalance.method} ${rebalance.path} with the provider that yields most as provider_in`);
  await showRequests(cli, service, [prepare(service, strategiesOf, { asset_symbol: asset })]);
};

const stayWith = async (cli: CommandContext, asset: string, stays: RankedStrategy): Promise<undefined> => {
  await cli.printNote(`${rateOf(stays)}, and no other provider yields more for ${asset}: nothing to do`);
  const { provider, apy_percent, with_rewards } = stays;
  const facts = { asset, provider, apy_percent, with_rewards };
  await cli.printResult({ status: 'nothing_to_do', operation: 'rebalance', ...facts });
};

/**
 * Adds the provider with the best rate as the target of a rebalance without one. It always reads the rates from the
 * service, prints them, and asks before a signature. Returns `undefined` if nothing is left to do: the money is at
 * the best provider already, or the requests were only printed.
 */
const withTarget = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<Input | undefined> => {
  if (!lacksTarget(input)) return input;
  checkInput(rebalance, withPendingTarget(input));
  const asset = await symbolIn(cli, input);
  if (isDryRun(cli)) return showFirst(cli, asset);
  const { best, now, isBetter } = await compareRates(cli, asset, String(input['provider_out']));
  if (!isBetter && now) return stayWith(cli, asset, now);
  const provider = checkedName(best.provider);
  const than = now ? `${rateOf(now)}, where it is now` : `${String(input['provider_out'])} names no yield now`;
  await cli.printNote(`${rateOf(best)}, the most for ${asset}; ${than}`);
  const question = ofService(await cli.service(), `Move it to ${provider}?`);
  const unstated = unstatedIn({ provider_in: provider }, ['provider_in'], YIELD_WORDS);
  if (wantsToSign(given) && !(await askAboutDoubts(cli, checkStated(unstated, false), question))) {
    throw new Failure('refused_by_review', 'not confirmed; nothing was signed or sent');
  }
  return { ...input, provider_in: provider };
};
