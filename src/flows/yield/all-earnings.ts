import { type Client, call, dataOf } from '../../client/call.ts';
import { earnings } from '../../contract/yield/earnings.ts';
import { strategies } from '../../contract/yield/strategies.ts';
import { type Failure, isUninterrupted } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import { readStrategies, silentSources, type UnavailableProvider } from './strategies.ts';

/** One request: the position of a wallet in one asset with one provider. */
export type Pair = { readonly provider: string; readonly asset: string };

/** A response of the service, or a replacement if there was none. */
export type Earning = Readonly<Record<string, unknown>>;

/** The number of parallel requests. */
const AT_ONCE = 4;

/** The positions to request, and the providers whose tokens are unknown. */
export type OfferedPairs = { readonly pairs: readonly Pair[]; readonly silent: readonly UnavailableProvider[] };

/** Every provider and token of a strategy; only the named ones if the user names some. */
export const pairsOffered = async (client: Client, only: Partial<Pair>): Promise<OfferedPairs> => {
  const { envelope } = await readStrategies(client, strategies, {}, { isFresh: false });
  const offered = dataOf(strategies, 'get_yield_strategies_ok', envelope).strategies;
  const isWanted = ({ provider, asset }: Pair) =>
    (only.provider === undefined || only.provider === provider) &&
    (only.asset === undefined || isSameText(only.asset, asset));
  const wanted = offered.map(({ provider, token }) => ({ provider, asset: token.symbol })).filter(isWanted);
  const unique = new Map(wanted.map((pair) => [`${pair.provider} ${pair.asset}`, pair]));
  const silent = silentSources(envelope.data).filter(({ provider }) => isWanted({ asset: '', ...only, provider }));
  const pairs = [...unique.values()].toSorted((a, b) => (a.asset + a.provider < b.asset + b.provider ? -1 : 1));
  return { pairs, silent };
};

/** The wallet and chain, in the service's names. */
export type Holder = { readonly wallet: string; readonly chain_name: string };

/** Replaces a missing response: an unknown position must not look like zero. */
const unknown = (
  { provider, asset }: { readonly provider: string; readonly asset: string | null },
  { wallet, chain_name }: Holder,
  earnings_status: string,
  error: string,
): Earning => ({ provider, asset, wallet, chain_name, position_on_protocol: null, earnings_status, error });

/** Replaces the positions with a provider whose tokens are unknown. */
export const unlisted = (holder: Holder, { provider, message }: UnavailableProvider): Earning =>
  unknown({ provider, asset: null }, holder, 'unavailable', `it did not answer: ${message}`);

type EarningsAnswer = { readonly earnings: readonly Earning[]; readonly failure?: Failure };

const ask = async (client: Client, holder: Holder, pair: Pair): Promise<EarningsAnswer> => {
  const [{ wallet, chain_name }, { asset, provider }] = [holder, pair];
  try {
    const envelope = await call(client, earnings, { wallet, asset, provider, chain_name });
    return { earnings: dataOf(earnings, 'get_earnings_position', envelope).earnings };
  } catch (error) {
    if (!isUninterrupted(error)) throw error;
    const { code, details, message } = error;
    return { earnings: [unknown(pair, holder, details.status ?? code, message)], failure: error };
  }
};

/**
 * The positions of a wallet with every requested provider and token. A failed request is an entry with the failure in
 * `earnings_status`: an unknown position must not look like zero.
 */
export const readAllEarnings = async (client: Client, holder: Holder, pairs: readonly Pair[]) => {
  const asked: EarningsAnswer[] = [];
  for (let at = 0; at < pairs.length; at += AT_ONCE) {
    const some = pairs.slice(at, at + AT_ONCE).map((pair) => ask(client, holder, pair));
    asked.push(...(await Promise.all(some)));
  }
  return {
    earnings: asked.flatMap((one) => one.earnings),
    failures: asked.flatMap(({ failure }) => (failure ? [failure] : [])),
  };
};
