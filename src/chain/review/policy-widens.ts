import { compareDecimals } from '../../core/decimal.ts';
import { type Amounts, ANY_TOKEN, hasDailyLimit, journalOf, namesOne, type Policy } from './policy.ts';

type List = readonly string[] | undefined;

const isWithin = (after: readonly string[], before: readonly string[]): boolean =>
  after.every((name) => namesOne(before, name));

/** For a list that only forbids: without the list, everything is allowed. */
const listWidens = (before: List, after: List): boolean =>
  before !== undefined && (after === undefined || !isWithin(after, before));

/** For a list that also grants something to each entry: a new entry widens it. */
const grantWidens = (before: List, after: List): boolean =>
  listWidens(before, after) || (after !== undefined && !isWithin(after, before ?? []));

const amountOf = (amounts: Amounts, name: string): string | undefined =>
  Object.entries(amounts).find(([each]) => namesOne([each], name))?.[1] ?? amounts[ANY_TOKEN];

/** Whether any token or chain has a higher amount than before, or no amount any more. */
const amountsWiden = (before: Amounts = {}, after: Amounts = {}): boolean =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].some((name) => {
    const [was, is] = [amountOf(before, name), amountOf(after, name)];
    return was !== undefined && (is === undefined || compareDecimals(is, was) > 0);
  });

/**
 * Whether the policy of a key is a standing mandate. A mandate names chains, tokens and recipients. For each of its
 * tokens it has a maximum per transaction.
 */
export const isMandate = ({ chains, tokens, recipients, most_per_transaction: most = {} }: Policy): boolean =>
  chains !== undefined &&
  recipients !== undefined &&
  tokens !== undefined &&
  Object.keys(most).length > 0 &&
  tokens.every((token) => amountOf(most, token) !== undefined);

/** By setting: whether its new value allows anything that the old one did not. */
const WIDENS: { readonly [P in keyof Required<Policy>]: (before: Policy[P], after: Policy[P]) => boolean } = {
  chains: listWidens,
  tokens: listWidens,
  recipients: listWidens,
  contracts: listWidens,
  programs: grantWidens,
  challenge_hosts: grantWidens,
  most_per_transaction: amountsWiden,
  most_per_day: amountsWiden,
  most_fee: amountsWiden,
  ask_above: amountsWiden,
  blind_signing: (before, after) => before === 'never' && after !== 'never',
  // It counts with the daily limits, below.
  journal: () => false,
};

const settingWidens = <Part extends keyof Policy>(part: Part, before: Policy, after: Policy): boolean =>
  WIDENS[part](before[part], after[part]);

/** Whether a policy allows anything that the policy before it did not. */
export const widens = (before: Policy, after: Policy): boolean =>
  Object.keys(WIDENS).some((part) => settingWidens(part as keyof Policy, before, after)) ||
  (hasDailyLimit(before) && journalOf(before) !== journalOf(after)) ||
  (isMandate(after) && !isMandate(before));
