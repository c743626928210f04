import { fromUnits } from '../../core/decimal.ts';
import { type Check, fine, refused } from '../verdict.ts';
import type { Context, Wanted } from './context.ts';
import { type Flow, sumOf } from './flows.ts';

const inWords = ({ token }: Wanted, units: bigint): string => `${fromUnits(units, token.decimals)} ${token.symbol}`;

/** Units from `least` to `most`. */
type Range = { readonly least: bigint; readonly most: bigint };

/** What may leave and come in of the token: what was asked, and the stated fees beside it or out of it. */
const rangesOf = ({ asked, amount, fees }: Wanted): { readonly out: Range; readonly in: Range } => {
  const less = amount > fees ? amount - fees : 0n;
  switch (asked.kind) {
    case 'deposit':
      return { out: { least: amount, most: amount + fees }, in: { least: 0n, most: 0n } };
    case 'withdraw':
      return { out: { least: 0n, most: fees }, in: { least: less, most: amount } };
    case 'rebalance':
      return { out: { least: less, most: amount + fees }, in: { least: less, most: amount } };
    default: {
      const never: never = asked.kind;
      return never;
    }
  }
};

const outside = (units: bigint, { least, most }: Range): boolean => units < least || units > most;

const totals = (flows: readonly Flow[], mint: string): { readonly out: bigint; readonly in: bigint } => {
  const of = (direction: Flow['direction']) =>
    sumOf(flows.filter((flow) => flow.mint === mint && flow.direction === direction));
  return { out: of('out'), in: of('in') };
};

const feesInWords = (wanted: Wanted): string =>
  wanted.fees === 0n ? '' : `, of which ${inWords(wanted, wanted.fees)} may be fees that the service states`;

/** The amount that leaves and comes in is what was asked for, the stated fees included. */
export const checkAmount = ({ flows, wanted, isOpaque }: Context): readonly Check[] => {
  if (wanted === undefined) return [];
  const ranges = rangesOf(wanted);
  const sums = totals(flows, wanted.token.mint);
  // A program that is not understood moves amounts that the bytes do not show: only too much can be seen.
  const lowered = (range: Range): Range => (isOpaque ? { ...range, least: 0n } : range);
  const asked = `${inWords(wanted, wanted.amount)} was asked for${feesInWords(wanted)}`;
  const wrong = (['out', 'in'] as const).flatMap((direction) => {
    if (!outside(sums[direction], lowered(ranges[direction]))) return [];
    const verb = direction === 'out' ? 'leave the wallet' : 'come in';
    return [refused('amount', `${inWords(wanted, sums[direction])} ${verb}, and ${asked}.`)];
  });
  const net = sums.out - sums.in;
  if (wanted.asked.kind === 'rebalance' && !isOpaque && net > wanted.fees) {
    return [...wrong, refused('amount', `${inWords(wanted, net)} of the wallet's own go as well.`)];
  }
  if (wrong.length > 0 || isOpaque) return wrong;
  return [fine('amount', `The amount is ${inWords(wanted, wanted.amount)}, as asked${feesInWords(wanted)}.`)];
};
