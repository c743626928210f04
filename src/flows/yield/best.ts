import type * as z from 'zod';
import { type Client, call, dataOf } from '../../client/call.ts';
import { strategiesOf } from '../../contract/yield/strategies.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { digitsOf } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { isSameText } from '../../core/text.ts';
import { silenceOf, silentSources, type UnavailableProvider, unnamedSources } from './strategies.ts';

type Strategy = z.infer<(typeof strategiesOf)['success']['get_yield_strategies_ok']['data']>['strategies'][number];

/** A strategy with its yield in percent a year, including rewards if the provider states them. */
export type RankedStrategy = Readonly<Pick<Strategy, 'provider' | 'protocol_display_name' | 'strategy_id'>> & {
  readonly apy_percent: string;
  readonly with_rewards: boolean;
};

const percentIn = (rate: Strategy['apy']['supply'] | undefined): string | undefined => {
  const digits = digitsOf(rate?.percent);
  return digits !== undefined && isDecimal(digits) ? digits : undefined;
};

/** The yield of a strategy; `undefined` if it is inactive or its yield is not a number. */
const ranked = (strategy: Strategy): readonly RankedStrategy[] => {
  const { provider, protocol_display_name, strategy_id, enabled, apy } = strategy;
  const whole = percentIn(apy.total_with_rewards);
  const apy_percent = whole ?? percentIn(apy.supply);
  if (!enabled || apy_percent === undefined) return [];
  return [{ provider, protocol_display_name, strategy_id, apy_percent, with_rewards: whole !== undefined }];
};

const isOf = ({ token }: Strategy, asset: string): boolean => token.mint === asset || isSameText(token.symbol, asset);

const nothingFor = (asset: string, silent: readonly UnavailableProvider[]): Failure =>
  silent.length === 0
    ? new Failure('not_found', `no strategy takes ${asset} now`, { next: nextStep('yield.strategies') })
    : new Failure('unavailable', `no strategy of ${asset} is known`, {
        hint: silent.map((each) => `${silenceOf(each)}.`).join(' '),
      });

/**
 * The strategies of a token by current yield, best first; never cached. Nothing is known of `expected` providers that
 * are missing in the response.
 */
export const rankStrategies = async (client: Client, asset: string, expected: readonly string[] = []) => {
  const envelope = await call(client, strategiesOf, { asset_symbol: asset });
  const { strategies } = dataOf(strategiesOf, 'get_yield_strategies_ok', envelope);
  const own = strategies.filter((each) => isOf(each, asset));
  const all = own.flatMap(ranked).toSorted((a, b) => compareDecimals(b.apy_percent, a.apy_percent));
  const silent = [...silentSources(envelope.data), ...unnamedSources(envelope.data, expected)];
  if (all.length > 0) return { ranked: all, silent };
  throw nothingFor(asset, silent);
};
