import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { replaceActing } from './escape.ts';
import { Failure, messageOf } from './failure.ts';
import { withoutMarks } from './remote-text.ts';

/**
 * A JSON number that JavaScript's number cannot hold digit for digit, such as 1000000000000000001 or 1.10.
 * It prints as it was received.
 */
export type ExactNumber = LosslessNumber;

/** Makes an exact number from its digits. Throws on text that is no JSON number. */
export const exactNumber = (digits: string): ExactNumber => new LosslessNumber(digits);

/** Whether a value is an exact number. */
export const isExactNumber = (value: unknown): value is ExactNumber => isLosslessNumber(value);

/** The digits of a number as they were received; `undefined` for what is no number. */
export const digitsOf = (value: unknown): string | undefined => {
  if (isExactNumber(value)) return value.toString();
  return typeof value === 'number' ? String(value) : undefined;
};

/**
 * A whole number above 2^53 stays exact even where JavaScript prints the same digits: 123456789012345680000
 * prints so, but as a bigint it is 123456789012345683968.
 */
const readNumber = (digits: string): number | ExactNumber => {
  const value = Number(digits);
  const isExact = String(value) === digits && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? value : new LosslessNumber(digits);
};

/** A JSON object: neither a list nor an exact number, which is an object to JavaScript. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** Deeper nesting than any answer of the service has; a parser's recursion must not be the limit. */
const DEEPEST = 100;

const assertShallow = (text: string): void => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > DEEPEST) throw new Failure('invalid_input', `JSON nested deeper than ${DEEPEST} levels`);
  }
};

/**
 * Parses JSON without losing a digit: numbers that JavaScript holds exactly are numbers, all others are
 * exact numbers. Throws `invalid_input` for bad JSON, unequal duplicate keys and deep nesting.
 */
export const parseJson = (text: string): unknown => {
  assertShallow(text);
  try {
    return parse(text, undefined, readNumber);
  } catch (error) {
    throw new Failure('invalid_input', messageOf(error), { cause: error });
  }
};

/** One `\uXXXX` for each UTF-16 unit, as JSON escapes (RFC 8259, section 7). */
const escapeUnits = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Whether the language's own printer prints a value as it is: no exact number and no bigint in it. */
const isPlain = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (isLosslessNumber(value)) return false;
  for (const part of Object.values(value)) if (!isPlain(part)) return false;
  return true;
};

/** Printable ASCII has nothing that could act, but for a CI runner's `##[command]`. */
const HARMLESS = /^[\x20-\x22\x24-\x7e]*$/;

/** Prints JSON, exact numbers digit for digit; bigint as a number; characters that could act on a terminal escaped. */
export const printJson = (value: unknown, indent?: number): string => {
  const text =
    (isPlain(value) ? JSON.stringify(value, undefined, indent) : stringify(value, undefined, indent)) ?? 'null';
  return HARMLESS.test(text) ? text : replaceActing(withoutMarks(text, '\\n'), escapeUnits);
};

/**
 * A remote value for a sentence: text as it is, anything else as JSON, at most `most` characters of it. Never throws,
 * where `String` does for an object that has a `toString` of its own.
 */
export const briefly = (value: unknown, most = 300): string => {
  const text = typeof value === 'string' ? value : printJson(value);
  return text.length <= most ? text : `${text.slice(0, most)}…`;
};

/** Never a property that every object has. */
const fieldOf = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** What stands at a path into a value of which nothing is known; `undefined` where there is nothing. */
export const valueAt = (value: unknown, ...path: readonly string[]): unknown => path.reduce(fieldOf, value);

/** The text or number there, digit for digit; `undefined` where there is neither, or an empty text. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = valueAt(value, ...path);
  return (typeof found === 'string' ? found : digitsOf(found)) || undefined;
};

/** The list there; an empty one where there is none. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
};
