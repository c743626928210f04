import { compareDecimals, sumDecimals } from '../../core/decimal.ts';
import type { Check } from '../verdict.ts';
import type { Leaving, Spend } from './footprint.ts';
import { isOfToken, namesOne, refusedBy } from './names.ts';
import type { PolicyInForce } from './policy.ts';

type Limits = Readonly<Record<string, string>>;

const limitsOf = (limits: Limits | undefined, leaving: Leaving): readonly string[] =>
  Object.entries(limits ?? {}).flatMap(([name, most]) => (isOfToken(name, leaving) ? [most] : []));

const isSameToken = (a: Leaving, b: Leaving): boolean => isOfToken(a.token, b) || isOfToken(b.token, a);

const totalOf = (all: readonly Leaving[], token: Leaving): string =>
  sumDecimals(all.filter((each) => isSameToken(each, token)).map(({ amount }) => amount));

/** Each token once, with all that leaves of it. */
export const totals = (all: readonly Leaving[]): readonly Leaving[] =>
  all
    .filter((one, at) => all.findIndex((other) => isSameToken(one, other)) === at)
    .map((one) => ({ ...one, amount: totalOf(all, one) }));

/** No more of a token than one transaction may move. */
export const checkTransaction = (inForce: PolicyInForce, leaving: Leaving): readonly Check[] =>
  limitsOf(inForce.policy.most_per_transaction, leaving)
    .filter((most) => compareDecimals(leaving.amount, most) > 0)
    .map((most) => {
      const { token, amount } = leaving;
      const found = `${amount} ${token} leave by one transaction`;
      return refusedBy('most_per_transaction', inForce, found, `at most ${most} ${token}`);
    });

/** No more of each token than may leave within a day, with what left in the last 24 hours. */
export const checkDay = (inForce: PolicyInForce, leaves: readonly Leaving[]): readonly Check[] =>
  totals(leaves).flatMap((leaving) => {
    const before = totalOf(inForce.moved, leaving);
    const sum = sumDecimals([before, leaving.amount]);
    return limitsOf(inForce.policy.most_per_day, leaving)
      .filter((most) => compareDecimals(sum, most) > 0)
      .map((most) => {
        const { token, amount } = leaving;
        const found = `${amount} ${token} leave, and ${before} ${token} left or may have left in the last 24 hours`;
        return refusedBy('most_per_day', inForce, found, `at most ${most} ${token} in 24 hours`);
      });
  });

const hasLimits = (limits: Limits | undefined): boolean => Object.keys(limits ?? {}).length > 0;

/** An unknown token may be a known one by another name, and its decimals are anyone's claim. */
const checkUnknown = (inForce: PolicyInForce, spend: Spend): readonly Check[] => {
  const { tokens = [], most_per_transaction, most_per_day } = inForce.policy;
  const parts = (['most_per_transaction', 'most_per_day'] as const).filter((part) => hasLimits(inForce.policy[part]));
  const isLimited = limitsOf({ ...most_per_transaction, ...most_per_day }, spend).length > 0;
  if (spend.isKnown || (namesOne(tokens, spend.address) && !isLimited)) return [];
  const found = `The token ${spend.token} leaves, which is not known here`;
  return parts.map((part) => refusedBy(part, inForce, found, 'only amounts that it can compare'));
};

/** What leaves by one transaction, against the most that may. */
export const checkLimits = (inForce: PolicyInForce, spends: readonly Spend[]): readonly Check[] => {
  const known = spends.filter(({ isKnown }) => isKnown);
  return [
    ...spends.flatMap((spend) => checkUnknown(inForce, spend)),
    ...totals(known).flatMap((leaving) => checkTransaction(inForce, leaving)),
    ...checkDay(inForce, known),
  ];
};
