import { fromUnits } from '../../core/decimal.ts';
import { type Check, fine, needsWord, refused } from '../verdict.ts';
import type { Context, Wanted } from './context.ts';
import { sumOf } from './flows.ts';
import type { Market } from './network.ts';

const sharesOf = ({ flows }: Context, { share }: Market, direction: 'in' | 'out'): bigint =>
  sumOf(flows.filter((flow) => flow.mint === share.mint && flow.direction === direction));

/** A share was worth one unit at the beginning and never less: no more of them than the amount are ever taken. */
const mostShares = ({ amount, token }: Wanted, { share }: Market): bigint =>
  amount * 10n ** BigInt(share.decimals - token.decimals);

const inWords = ({ share }: Market, units: bigint): string => `${fromUnits(units, share.decimals)} ${share.symbol}`;

const checkGiven = (context: Context, market: Market): Check => {
  const shares = sharesOf(context, market, 'in');
  return shares === 0n
    ? refused('shares', `No ${market.share.symbol} come in for it.`)
    : fine('shares', `${inWords(market, shares)} come in for it.`);
};

const checkTaken = (context: Context, wanted: Wanted, market: Market): Check => {
  const shares = sharesOf(context, market, 'out');
  const most = mostShares(wanted, market);
  return shares > most
    ? refused('shares', `It takes ${inWords(market, shares)}, and they are worth more than was asked for.`)
    : fine('shares', `It takes ${inWords(market, shares)}.`);
};

/** A deposit brings shares, a withdrawal takes no more of them than it is worth, as far as the shares are known. */
export const checkShares = (context: Context): readonly Check[] => {
  const { wanted, isOpaque, flows, network } = context;
  if (wanted === undefined || isOpaque) return [];
  const { asked, into, out } = wanted;
  const given = asked.kind === 'withdraw' || into === undefined ? [] : [checkGiven(context, into)];
  const taken = asked.kind === 'deposit' || out === undefined ? [] : [checkTaken(context, wanted, out)];
  const isBare = network.markets.length === 0 && asked.kind !== 'withdraw';
  const comesIn = flows.some(({ direction, mint }) => direction === 'in' && mint !== wanted.token.mint);
  const bare = isBare && !comesIn ? [needsWord('shares', 'It pays, and nothing comes in for it.')] : [];
  return [...given, ...taken, ...bare];
};
