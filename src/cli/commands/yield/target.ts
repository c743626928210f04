import { checkStated } from '../../../chain/review/check.ts';
import { checkInput, type Input, prepare } from '../../../client/call.ts';
import { rebalance } from '../../../contract/yield/rebalance.ts';
import { strategiesOf } from '../../../contract/yield/strategies.ts';
import { Failure, isUninterrupted, valueOn } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence, isSameText } from '../../../core/text.ts';
import { unstatedIn, YIELD_WORDS } from '../../../flows/statement.ts';
import type { RankedStrategy } from '../../../flows/yield/best.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/strategies.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { showRequests } from '../../print/dry-run.ts';
import { askAboutDoubts, ofService } from '../../prompt/confirming.ts';
import { printMissingProviders, wantsToSign } from './context.ts';

/** The placeholder for a provider that is chosen later. */
const PENDING = 'the-best-provider';

/** Whether a rebalance names its source provider, but no target provider. */
export const lacksTarget = (input: Input): boolean =>
  input['provider_out'] !== undefined && input['provider_in'] === undefined && input['provider'] === undefined;

/** A rebalance with a placeholder for its target, so that the other fields can be validated. */
export const withPendingTarget = (input: Input): Input =>
  lacksTarget(input) ? { ...input, provider_in: PENDING } : input;

const rateOf = ({ provider, apy_percent, with_rewards }: RankedStrategy): string =>
  `${inSentence(provider)} yields ${apy_percent} % a year${with_rewards ? ' with rewards' : ''}`;

const strategyOf = (ranked: readonly RankedStrategy[], name: string): RankedStrategy | undefined =>
  ranked.find(({ provider }) => isSameText(provider, name));

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
  const now = strategyOf(ranked, out);
  return { best, now, isBetter: now === undefined || compareDecimals(best.apy_percent, now.apy_percent) > 0 };
};

/** The symbol of a token for the list of strategies. The input may name the mint instead. */
const symbolIn = async (cli: CommandContext, input: Input): Promise<string> => {
  const name = String(input['asset'] ?? input['symbol'] ?? input['token_mint'] ?? input['mint']);
  const { solanaNetworkFor, tokenNamed } = await import('../../../chain/solana/network.ts');
  const { service } = await cli.client();
  return tokenNamed(solanaNetworkFor(service.kind), name)?.symbol ?? name;
};

/** Warns of a rebalance to a provider that yields less. Unknown rates do not stop it. */
const warnOfLowerRate = async (cli: CommandContext, input: Input): Promise<void> => {
  const { provider_out: out, provider_in: into } = input;
  if (typeof out !== 'string' || typeof into !== 'string') return;
  const { rankStrategies } = await import('../../../flows/yield/best.ts');
  const { compareDecimals } = await import('../../../core/decimal.ts');
  const rates = rankStrategies(await cli.client(), await symbolIn(cli, input));
  const { ranked } = await rates.catch(valueOn(isUninterrupted, { ranked: [] }));
  const [now, next] = [strategyOf(ranked, out), strategyOf(ranked, into)];
  if (!now || !next || compareDecimals(next.apy_percent, now.apy_percent) >= 0) return;
  await cli.warn(`this rebalance lowers the yield: ${rateOf(next)}; ${rateOf(now)}, where it is now`);
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
 * Whether no provider yields more than the one that has the money. Then it prints that nothing is left to do. It only reads,
 * so the user has not reviewed the answers yet.
 */
export const isBest = async (cli: CommandContext, asset: string, out: string): Promise<boolean> => {
  const reading = { ...cli, ...cli.beforeReview };
  const { now, isBetter } = await compareRates(reading, asset, out);
  if (isBetter || !now) return false;
  await stayWith(reading, asset, now);
  return true;
};

/**
 * Adds the provider with the best rate as the target of a rebalance without one. It always reads the rates from the
 * service, prints them, and asks before a signature. Returns `undefined` if nothing is left to do: the money is at
 * the best provider already, or the requests were only printed.
 */
export const withTarget = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<Input | undefined> => {
  if (!lacksTarget(input)) {
    if (wantsToSign(given) && cli.io.prompt.isPossible && !isDryRun(cli)) await warnOfLowerRate(cli, input);
    return input;
  }
  checkInput(rebalance, withPendingTarget(input));
  const asset = await symbolIn(cli, input);
  if (isDryRun(cli)) return showFirst(cli, asset);
  const { best, now, isBetter } = await compareRates(cli, asset, String(input['provider_out']));
  if (!isBetter && now) return stayWith(cli, asset, now);
  const provider = checkedName(best.provider);
  const than = now ? `${rateOf(now)}, where it is now` : `${String(input['provider_out'])} names no yield now`;
  await cli.printNote(`${rateOf(best)}, the most for ${asset}; ${than}`);
  const service = await cli.service();
  const question = ofService(service, `Move it to ${provider}?`);
  const checks = checkStated(unstatedIn({ provider_in: provider }, ['provider_in'], YIELD_WORDS), false);
  if (wantsToSign(given)) {
    if (!(await askAboutDoubts(cli, checks, question, service.kind === 'sandbox')))
      throw new Failure('refused_by_review', 'not confirmed; nothing was signed or sent');
    cli.impliedOptions.set('--provider-in', provider);
  }
  return { ...input, provider_in: provider };
};
