import { isDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { type Option, type ParsedArgs, stringArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Profile } from '../../profiles/profile.ts';

type Thresholds = NonNullable<Profile['type_amount_above']>;

export const THRESHOLD_OPTION: Option = {
  flag: '--type-amount-above',
  value: 'TOKEN=AMOUNT',
  isRepeatable: true,
  description: 'Above this amount, signed or charged to a card, a person types it; * is any other token (repeatable)',
};

const QUESTION = 'Ask you to type the amount for payments above (any token or currency; empty: never)';

const assertAmount = (amount: string, where: string): string => {
  if (isDecimal(amount)) return amount;
  throw new Failure('invalid_input', `${where}: "${amount.slice(0, 40)}" is not an amount, such as 1000 or 0.5`);
};

const parsed = (text: string): readonly [string, string] => {
  const at = text.lastIndexOf('=');
  if (at < 1)
    throw new Failure('invalid_input', `--type-amount-above: "${text}" is not TOKEN=AMOUNT, such as USDT=1000`);
  return [text.slice(0, at).trim(), assertAmount(text.slice(at + 1).trim(), '--type-amount-above')];
};

/** The amounts on the command line; `undefined` where there are none. Throws `invalid_input`. */
export const thresholdsIn = (given: ParsedArgs): Thresholds | undefined => {
  const texts = stringArgs(given, 'type-amount-above');
  return texts.length === 0 ? undefined : Object.fromEntries(texts.map(parsed));
};

/** Asks a person for one where the profile has none. */
export const askThresholds = async (
  { io }: CommandContext,
  { type_amount_above }: Profile,
): Promise<Thresholds | undefined> => {
  if (type_amount_above || !io.prompt.isPossible) return type_amount_above;
  const problemIn = async (answer: string) =>
    answer.trim() === '' || isDecimal(answer.trim()) ? undefined : 'must be an amount, such as 1000 or 0.5';
  const amount = (await io.prompt.text(QUESTION, { problemIn })).trim();
  return amount === '' ? undefined : { '*': amount };
};
