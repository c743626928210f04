import { FEE_AT_MOST } from '../../chain/review/check.ts';
import { isDecimal, parseDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { type Option, type ParsedArgs, stringArg } from './options.ts';

/** The option that replaces the default fee limit. */
export const FEE_OPTION: Option = {
  flag: FEE_AT_MOST,
  value: 'AMOUNT',
  heading: 'Signing and sending',
  isKept: true,
  usual: 'the usual maximum of the chain',
  description: "The most that the fee may cost, in the chain's coin",
};

/**
 * The amount of `--fee-at-most`. `decimals` are those of the chain's coin. Throws `invalid_input` for an invalid
 * amount.
 */
export const feeAtMostIn = (given: ParsedArgs, decimals: number): string | undefined => {
  const text = stringArg(given, 'fee-at-most');
  if (text === undefined || (isDecimal(text) && parseDecimal(text).scale <= decimals)) return text;
  const message = `"${text.slice(0, 40)}" is not an amount with at most ${decimals} decimals, such as 0.01`;
  throw new Failure('invalid_input', `${FEE_AT_MOST}: ${message}`, {
    errors: [{ field: 'fee_at_most', message, option: FEE_AT_MOST }],
  });
};
