import { Failure } from '../../core/failure.ts';
import { type ParsedArgs, stringArg } from './options.ts';

/** An option as a whole number in a range. Throws `invalid_input` for other text. */
export const wholeArg = (
  given: ParsedArgs,
  name: string,
  [least, most]: readonly [number, number] = [0, 1e15],
): number | undefined => {
  const text = stringArg(given, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
  const range = most < 1e15 ? ` from ${least} to ${most}` : '';
  throw new Failure('invalid_input', `--${name}: "${text.slice(0, 40)}" is not a whole number${range}`);
};
