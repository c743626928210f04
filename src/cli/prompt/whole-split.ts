import { sumsTo100 } from '../../contract/rules.ts';
import { compareDecimals, fromUnits, parseDecimal, sumDecimals, toUnits } from '../../core/decimal.ts';
import { digitsOf, isJsonObject } from '../../core/json.ts';
import type { Body } from '../command/body.ts';
import { ALLOW_AND_SPLIT } from '../command/payment-options.ts';

/** How far several values have come that make a whole together. */
export type Whole = {
  /** What is wrong with them together: no further value mends it. */
  readonly problem: string | undefined;
  readonly isWhole: boolean;
  /** Where they stand, in words. */
  readonly says: string;
};

const FIELD = 'split_payment_config';

const RULE = sumsTo100(FIELD);

/** A wallet may have two shares; who types it twice has more likely pasted the wrong one. */
const twice = (wallets: readonly string[]): string | undefined => {
  const names = wallets.map((wallet) => (wallet.startsWith('0x') ? wallet.toLowerCase() : wallet));
  return names.some((name, at) => names.indexOf(name) < at) ? 'has a share already: name another wallet' : undefined;
};

const entriesOf = (body: Body) => {
  const entries = body[FIELD];
  return Array.isArray(entries) ? entries.filter(isJsonObject) : [];
};

const sumOf = (entries: ReturnType<typeof entriesOf>): string =>
  sumDecimals(entries.map(({ receiver_percent }) => digitsOf(receiver_percent) ?? '0'));

/** What the receivers of a split leave of 100 per cent. */
export const leftOf = (splits: readonly string[]): string => {
  const { units, scale } = parseDecimal(sumOf(entriesOf(ALLOW_AND_SPLIT.bodyFrom({ split: splits }))));
  return fromUnits(toUnits('100', scale) - units, scale);
};

/** How far the receivers of a split have come to 100 per cent, by the rule of the contract. */
export const wholeSplit = (splits: readonly string[]): Whole => {
  const body = ALLOW_AND_SPLIT.bodyFrom({ split: splits });
  const percents = entriesOf(body);
  const sum = sumOf(percents);
  const [wrong] = RULE.check(body);
  return {
    problem:
      twice(percents.map(({ receiver_wallet }) => String(receiver_wallet))) ??
      (compareDecimals(sum, '100') > 0 ? wrong?.message : undefined),
    isWhole: wrong === undefined,
    says: `${sum} of 100 per cent are given`,
  };
};
