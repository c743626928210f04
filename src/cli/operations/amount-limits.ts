import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { escapeText, isSameText } from '../../core/text.ts';
import { type ParsedArgs, stringArgs } from '../command/options.ts';

/** The most that a command with many operations may pay, by token. */
export type AmountLimits = readonly { readonly token: string; readonly amount: string }[];

/** Reads limits such as `10=USDT` from a repeatable option. Throws `invalid_input`, also for two limits of one token. */
export const amountLimits = (given: ParsedArgs, option: string): AmountLimits => {
  const limits = stringArgs(given, option).map((text) => {
    const [amount = '', token = '', ...more] = text.split('=');
    if (isDecimal(amount) && compareDecimals(amount, '0') > 0 && /^\w+$/.test(token) && more.length === 0)
      return { token, amount };
    const message = `--${option}: "${escapeText(text.slice(0, 40))}" is not AMOUNT=TOKEN, such as 10=USDT`;
    throw new Failure('invalid_input', message);
  });
  const twice = limits.find((one, at) => limits.findIndex(({ token }) => isSameText(token, one.token)) !== at);
  if (twice) throw new Failure('invalid_input', `--${option}: ${twice.token} has two limits`);
  return limits;
};

/** Limits in words, such as "10 USDT and 5 USDC". */
export const limitsInWords = (limits: AmountLimits): string =>
  limits.map(({ amount, token }) => `${amount} ${token}`).join(' and ');
