import { compareDecimals, sumDecimals } from '../../core/decimal.ts';
import type { Check } from './check.ts';
import type { Footprint, Outflow, Spend } from './footprint.ts';
import { type Amounts, type AppliedPolicy, amountsFor, confirmedBy, isOfToken, namesOne, refusedBy } from './policy.ts';

const isSameToken = (a: Outflow, b: Outflow): boolean => isOfToken(a.token, b) || isOfToken(b.token, a);

const totalOf = (all: readonly Outflow[], token: Outflow): string =>
  sumDecimals(all.filter((each) => isSameToken(each, token)).map(({ amount }) => amount));

/** How much of a token, as a policy names it, is among what was moved. */
export const amountCounted = (moved: readonly Outflow[], name: string): string =>
  sumDecimals(moved.filter((each) => isOfToken(name, each)).map(({ amount }) => amount));

/** Each token once, with all that leaves of it. */
export const totals = (all: readonly Outflow[]): readonly Outflow[] =>
  all
    .filter((one, at) => all.findIndex((other) => isSameToken(one, other)) === at)
    .map((one) => ({ ...one, amount: totalOf(all, one) }));

/** Of transactions of which only one can land: the most that leaves of each token. */
export const largestOf = (alternatives: readonly (readonly Outflow[])[]): readonly Outflow[] => {
  const all = alternatives.flatMap(totals).toSorted((one, other) => compareDecimals(other.amount, one.amount));
  return all.filter((one, at) => all.findIndex((other) => isSameToken(one, other)) === at);
};

/** The same with what an earlier review of the same bytes recorded: of each token the larger amount counts. */
export const withRecorded = (footprint: Footprint, recorded: readonly Spend[]): Footprint => {
  const { spends } = footprint;
  const isLarger = (one: Spend, all: readonly Spend[]) =>
    all.every((other) => !isSameToken(one, other) || compareDecimals(one.amount, other.amount) > 0);
  const added = recorded.filter((each) => isLarger(each, spends));
  const kept = spends.filter((each) => !added.some((other) => isSameToken(each, other)));
  return { ...footprint, spends: [...kept, ...added], isCounted: true };
};

/** No more of a token than one transaction may move. */
export const checkTransaction = (applied: AppliedPolicy, leaving: Outflow): readonly Check[] =>
  amountsFor(applied.policy.most_per_transaction, leaving)
    .filter((most) => compareDecimals(leaving.amount, most) > 0)
    .map((most) => {
      const { token, amount } = leaving;
      const found = `${amount} ${token} leave by one transaction`;
      return refusedBy('most_per_transaction', applied, found, `at most ${most} ${token}`);
    });

/** No more of each token than may leave within a day, with what left in the last 24 hours. */
export const checkDay = (applied: AppliedPolicy, all: readonly Outflow[]): readonly Check[] =>
  totals(all).flatMap((leaving) => {
    const before = totalOf(applied.moved, leaving);
    const replaced = totalOf(applied.replaced ?? [], leaving);
    const isReplacedLarger = compareDecimals(replaced, leaving.amount) > 0;
    const sum = sumDecimals([before, isReplacedLarger ? replaced : leaving.amount]);
    return amountsFor(applied.policy.most_per_day, leaving)
      .filter((most) => compareDecimals(sum, most) > 0)
      .map((most) => {
        const { token, amount } = leaving;
        const leaves = isReplacedLarger
          ? `${amount} ${token} leave, or ${replaced} ${token} by an earlier transaction with the same nonce`
          : `${amount} ${token} leave`;
        const found = `${leaves}, and ${before} ${token} left or may have left in the last 24 hours`;
        return refusedBy('most_per_day', applied, found, `at most ${most} ${token} in 24 hours`);
      });
  });

/** Above some amounts the user is asked, whatever the options say. */
export const checkAskAbove = (applied: AppliedPolicy, leaving: Outflow): readonly Check[] =>
  amountsFor(applied.policy.ask_above, leaving)
    .filter((above) => compareDecimals(leaving.amount, above) > 0)
    .map((above) => {
      const { token, amount } = leaving;
      const found = `${amount} ${token} leave by one transaction`;
      return confirmedBy('ask_above', applied, found, `more than ${above} ${token} only by a yes at a terminal`);
    });

const hasLimits = (limits: Amounts | undefined): boolean => Object.keys(limits ?? {}).length > 0;

const COMPARED = ['most_per_transaction', 'most_per_day', 'ask_above'] as const;

/** An unknown token may be a known one by another name, and its decimals are anyone's claim. */
const checkUnknown = (applied: AppliedPolicy, spend: Spend): readonly Check[] => {
  const { policy } = applied;
  const parts = COMPARED.filter((part) => hasLimits(policy[part]));
  const isLimited = parts.some((part) => amountsFor(policy[part], spend).length > 0);
  if (spend.isKnown || (namesOne(policy.tokens ?? [], spend.address) && !isLimited)) return [];
  const found = `The token ${spend.token} leaves, which is not known here`;
  const allowed = 'only amounts that it can compare';
  return parts.map((part) => (part === 'ask_above' ? confirmedBy : refusedBy)(part, applied, found, allowed));
};

/** What leaves by one transaction, against the most that may. */
export const checkLimits = (applied: AppliedPolicy, spends: readonly Spend[]): readonly Check[] => {
  const known = spends.filter(({ isKnown }) => isKnown);
  return [
    ...spends.flatMap((spend) => checkUnknown(applied, spend)),
    ...totals(known).flatMap((leaving) => [...checkTransaction(applied, leaving), ...checkAskAbove(applied, leaving)]),
    ...checkDay(applied, known),
  ];
};
