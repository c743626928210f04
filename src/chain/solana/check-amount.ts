import { type Check, pass, refuse } from '../verdict.ts';
import { type Context, type RequestedUnits, totalFees } from './context.ts';
import { type Flow, totalOf } from './flows.ts';
import { unitsInWords } from './words.ts';

/** Sums of some of the fees, of none and of all: each may be part of the amount or come beside it. */
const someOf = ([first, ...rest]: readonly bigint[]): readonly bigint[] =>
  first === undefined ? [0n] : someOf(rest).flatMap((sum) => [sum, sum + first]);

/** The sums of the token that may leave and come in: what was asked, the stated fees out of it or beside it. */
const allowedSums = ({
  asked,
  amount,
  fees,
}: RequestedUnits): Readonly<Record<Flow['direction'], readonly bigint[]>> => {
  const some = someOf(fees);
  const above = some.map((fee) => amount + fee);
  const below = some.map((fee) => amount - fee);
  switch (asked.kind) {
    case 'deposit':
      return { out: above, in: [0n] };
    case 'withdraw':
      return { out: some, in: below };
    case 'rebalance':
      return { out: [...above, ...below], in: below };
    default: {
      const never: never = asked.kind;
      return never;
    }
  }
};

const feesInWords = (wanted: RequestedUnits): string =>
  totalFees(wanted) === 0n
    ? ''
    : `, and ${unitsInWords(wanted.token, totalFees(wanted))} are fees that the service states`;

/** The amount that leaves and comes in is what was asked for, the stated fees included. */
export const checkAmount = ({ flows, wanted, isOpaque }: Context): readonly Check[] => {
  if (wanted === undefined) return [];
  const allowed = allowedSums(wanted);
  const { token } = wanted;
  const sums = { out: totalOf(flows, 'out', token.mint), in: totalOf(flows, 'in', token.mint) };
  // A program that is not understood moves amounts that the bytes do not show: only too much can be seen.
  const isRight = (sum: bigint, right: readonly bigint[]) =>
    isOpaque ? right.some((most) => sum <= most) : right.includes(sum);
  const asked = `${unitsInWords(token, wanted.amount)} was asked for${feesInWords(wanted)}`;
  const wrong = (['out', 'in'] as const).flatMap((direction) => {
    if (isRight(sums[direction], allowed[direction])) return [];
    const verb = direction === 'out' ? 'leave the wallet' : 'come in';
    return [refuse('amount', `${unitsInWords(token, sums[direction])} ${verb}, and ${asked}.`)];
  });
  const net = sums.out - sums.in;
  if (wanted.asked.kind === 'rebalance' && !isOpaque && net > totalFees(wanted)) {
    return [...wrong, refuse('amount', `${unitsInWords(token, net)} of the wallet's own go as well.`)];
  }
  if (wrong.length > 0 || isOpaque) return wrong;
  return [pass('amount', `The amount is ${unitsInWords(token, wanted.amount)}, as asked${feesInWords(wanted)}.`)];
};
