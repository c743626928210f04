import { checkStated } from '../../../chain/review/stated-facts.ts';
import { checkInput, prepare } from '../../../client/call.ts';
import { rebalance } from '../../../contract/yield/rebalance.ts';
import { strategiesOf } from '../../../contract/yield/strategies-of.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/remote-text.ts';
import { isSameText } from '../../../core/same-text.ts';
import { unstatedIn, YIELD_WORDS } from '../../../flows/statement.ts';
import type { RankedStrategy } from '../../../flows/yield/best.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/silent-sources.ts';
import type { Body } from '../../command/body.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { isDryRun, showRequests } from '../../print/dry-run.ts';
import { askAboutDoubts, ofService } from '../../prompt/confirming.ts';
import { wantsToSign } from './options.ts';
import { saySilent } from './say-silent.ts';

/** Stands for the provider that is chosen later. */
const PENDING = 'the-best-provider';

/** Whether a rebalance names where the money comes from and not where it goes. */
export const lacksTarget = (input: Body): boolean =>
  input['provider_out'] !== undefined && input['provider_in'] === undefined && input['provider'] === undefined;

/** A rebalance with something in the place of a target that is chosen later, to check the rest of it. */
export const withPendingTarget = (input: Body): Body =>
  lacksTarget(input) ? { ...input, provider_in: PENDING } : input;

const rateOf = ({ provider, apy_percent, with_rewards }: RankedStrategy): string =>
  `${inSentence(provider)} yields ${apy_percent} % a year${with_rewards ? ' with rewards' : ''}`;

/** Nothing is better than what is not known. */
const assertKnown = (asset: string, out: string, silent: readonly UnavailableProvider[]): void => {
  const gone = silent.find(({ provider }) => isSameText(provider, out));
  if (!gone) return;
  throw new Failure('unavailable', `what ${asset} yields at ${out} now is not known: nothing was moved`, {
    hint: `${silenceOf(gone)}. Try again later, or name the provider with --provider-in.`,
    next: nextStep('yield.strategies', asset),
  });
};

/** The best, and where the money is now; nothing moves to what yields no more. */
const compared = async (cli: CommandContext, asset: string, out: string) => {
  const [{ rankStrategies }, { compareDecimals }] = await Promise.all([
    import('../../../flows/yield/best.ts'),
    import('../../../core/decimal.ts'),
  ]);
  const { ranked, silent } = await rankStrategies(await cli.client(), asset, [out]);
  await saySilent(cli.warn, silent);
  assertKnown(asset, out, silent);
  const best = ranked[0] as RankedStrategy;
  const now = ranked.find(({ provider }) => isSameText(provider, out));
  return { best, now, isBetter: now === undefined || compareDecimals(best.apy_percent, now.apy_percent) > 0 };
};

/** The symbol by which strategies are listed, also where the token is named by its mint. */
const symbolIn = async (cli: CommandContext, input: Body): Promise<string> => {
  const name = String(input['asset'] ?? input['symbol'] ?? input['token_mint'] ?? input['mint']);
  const { solanaNetworkFor, tokenNamed } = await import('../../../chain/solana/network.ts');
  const { service } = await cli.client();
  return tokenNamed(solanaNetworkFor(service.kind), name)?.symbol ?? name;
};

/** A provider's name goes into a request, a question and the journal. Throws `unexpected_answer`. */
const checkedName = (provider: string): string => {
  if (/^\w[\w.:-]{0,99}$/.test(provider)) return provider;
  throw new Failure('unexpected_answer', `the service names a provider that is none: ${inSentence(provider)}`);
};

const showFirst = async (cli: CommandContext, asset: string): Promise<undefined> => {
  const { service } = await cli.client();
  await cli.say(`then ${rebalance.method} ${rebalance.path} with the provider that yields most as provider_in`);
  await showRequests(cli, service, [prepare(service, strategiesOf, { asset_symbol: asset })]);
};

const stayWith = async (cli: CommandContext, asset: string, stays: RankedStrategy): Promise<undefined> => {
  await cli.say(`${rateOf(stays)}, and no other provider yields more for ${asset}: nothing to do`);
  const { provider, apy_percent, with_rewards } = stays;
  await cli.printResult({
    status: 'nothing_to_do',
    operation: 'rebalance',
    asset,
    provider,
    apy_percent,
    with_rewards,
  });
};

/**
 * Puts the provider that yields most now in the place of a target that was left out: asked of the service, never
 * remembered, told with its rate, and asked about where something is signed. `undefined` where that ends the command:
 * the money is there already, or requests are only shown.
 */
export const withTarget = async (cli: CommandContext, given: ParsedArgs, input: Body): Promise<Body | undefined> => {
  if (!lacksTarget(input)) return input;
  checkInput(rebalance, withPendingTarget(input));
  const asset = await symbolIn(cli, input);
  if (isDryRun(cli)) return showFirst(cli, asset);
  const { best, now, isBetter } = await compared(cli, asset, String(input['provider_out']));
  if (!isBetter && now) return stayWith(cli, asset, now);
  const provider = checkedName(best.provider);
  const than = now ? `${rateOf(now)}, where it is now` : `${String(input['provider_out'])} names no yield now`;
  await cli.say(`${rateOf(best)}, the most for ${asset}; ${than}`);
  const question = ofService(await cli.service(), `Move it to ${provider}?`);
  const unstated = unstatedIn({ provider_in: provider }, ['provider_in'], YIELD_WORDS);
  if (wantsToSign(given) && !(await askAboutDoubts(cli, checkStated(unstated, false), question))) {
    throw new Failure('refused_by_review', 'not confirmed; nothing was signed or sent');
  }
  return { ...input, provider_in: provider };
};
