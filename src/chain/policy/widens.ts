import { compareDecimals } from '../../core/decimal.ts';
import { namesOne } from './names.ts';
import { type Amounts, ANY_TOKEN, type Policy } from './policy.ts';

type List = readonly string[] | undefined;

const isWithin = (after: readonly string[], before: readonly string[]): boolean =>
  after.every((name) => namesOne(before, name));

/** A list that only forbids: without it everything is allowed. */
const listWidens = (before: List, after: List): boolean =>
  before !== undefined && (after === undefined || !isWithin(after, before));

/** A list that also vouches for what it names: whatever comes onto it was not allowed as much before. */
const grantWidens = (before: List, after: List): boolean =>
  listWidens(before, after) || (after !== undefined && !isWithin(after, before ?? []));

const amountOf = (amounts: Amounts, name: string): string | undefined =>
  Object.entries(amounts).find(([each]) => namesOne([each], name))?.[1] ?? amounts[ANY_TOKEN];

/** Whether any token, or chain, may have more than before. */
const amountsWiden = (before: Amounts = {}, after: Amounts = {}): boolean =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].some((name) => {
    const [was, is] = [amountOf(before, name), amountOf(after, name)];
    return was !== undefined && (is === undefined || compareDecimals(is, was) > 0);
  });

/**
 * Whether a policy of a key is a standing mandate: it names chains, tokens and recipients, and the most of each of these
 * tokens that one transaction may move.
 */
export const isMandate = ({ chains, tokens, recipients, most_per_transaction: most = {} }: Policy): boolean =>
  chains !== undefined &&
  recipients !== undefined &&
  tokens !== undefined &&
  Object.keys(most).length > 0 &&
  tokens.every((token) => amountOf(most, token) !== undefined);

/** Whether a policy allows anything that the policy before it did not. */
export const widens = (before: Policy, after: Policy): boolean =>
  (['chains', 'tokens', 'recipients', 'contracts'] as const).some((part) => listWidens(before[part], after[part])) ||
  (['programs', 'challenge_hosts'] as const).some((part) => grantWidens(before[part], after[part])) ||
  (['most_per_transaction', 'most_per_day', 'most_fee', 'ask_above'] as const).some((part) =>
    amountsWiden(before[part], after[part]),
  ) ||
  (before.blind_signing === 'never' && after.blind_signing !== 'never') ||
  (isMandate(after) && !isMandate(before));
