import { type Check, confirm, FEE_AT_MOST, refuse } from './check.ts';

/** Up to so many times the usual fee the user may say yes, for there are such hours; above that it is refused. */
const MAX_TIMES = 10n;

/** A part of a fee that is above the usual one: both in the same unit, and the usual one in words. */
type AboveUsual = { readonly units: bigint; readonly usual: bigint; readonly usualText: string };

/** The verdict on a fee or tip above the usual one, of any chain. `found` is the beginning of the sentence. */
export const feeVerdict = (found: string, { units, usual, usualText }: AboveUsual): Check =>
  units > usual * MAX_TIMES
    ? refuse('fee', `${found}: more than ten times the usual maximum, ${usualText}. ${FEE_AT_MOST} states another.`)
    : confirm('fee', `${found}, above the usual maximum, ${usualText}. ${FEE_AT_MOST} states another.`);
