import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { Failure, messageOf } from './failure.ts';
import { replaceActing, withoutMarks } from './text.ts';

/**
 * A JSON number that a JavaScript number cannot represent digit for digit, such as 1000000000000000001 or 1.10.
 * It prints exactly as received.
 */
export type ExactNumber = LosslessNumber;

/** Makes an exact number from its digits. Throws for text that is not a JSON number. */
export const exactNumber = (digits: string): ExactNumber => new LosslessNumber(digits);

/** Whether a value is an exact number. */
export const isExactNumber = (value: unknown): value is ExactNumber => isLosslessNumber(value);

/** The digits of a number as received; `undefined` if the value is not a number. */
export const digitsOf = (value: unknown): string | undefined => {
  if (isExactNumber(value)) return value.toString();
  return typeof value === 'number' ? String(value) : undefined;
};

/**
 * A whole number above 2^53 stays exact even if JavaScript prints the same digits. For example, 123456789012345680000
 * prints the same, but as a bigint it is 123456789012345683968.
 */
const readNumber = (digits: string): number | ExactNumber => {
  const value = Number(digits);
  const isExact = String(value) === digits && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? value : new LosslessNumber(digits);
};

/** Whether a value is a JSON object: no list, and no exact number (which is an object in JavaScript). */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** No answer of the service is nested deeper. Deep nesting would overflow the parser's recursion. */
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
 * Parses JSON without losing a digit: a number that JavaScript cannot represent becomes an exact number.
 * Throws `invalid_input` for bad JSON, unequal duplicate keys and deep nesting.
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

/** Whether JSON.stringify prints a value correctly: it contains no exact number and no bigint. */
const isPlain = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (isLosslessNumber(value)) return false;
  for (const part of Object.values(value)) if (!isPlain(part)) return false;
  return true;
};

/** Printable ASCII without #, because a CI runner executes `##[command]`. */
const HARMLESS = /^[\x20-\x22\x24-\x7e]*$/;

/** Prints JSON: exact numbers digit for digit, a bigint as a number, control characters of terminals escaped. */
export const printJson = (value: unknown, indent?: number): string => {
  const text =
    (isPlain(value) ? JSON.stringify(value, undefined, indent) : stringify(value, undefined, indent)) ?? 'null';
  return HARMLESS.test(text) ? text : replaceActing(withoutMarks(text, '\\n'), escapeUnits);
};

/**
 * A remote value for a sentence, cut to `most` characters: text stays text, any other value becomes JSON. Never throws,
 * unlike `String`, which throws for an object with its own `toString`.
 */
export const briefly = (value: unknown, most = 300): string => {
  const text = typeof value === 'string' ? value : printJson(value);
  return text.length <= most ? text : `${text.slice(0, most)}…`;
};

/** Returns only own properties, never those of Object.prototype. */
const fieldOf = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The value at a path in any value; `undefined` if the path does not exist. */
export const valueAt = (value: unknown, ...path: readonly string[]): unknown => path.reduce(fieldOf, value);

/** The text at a path, or the digits of a number as received; `undefined` for anything else and for empty text. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = valueAt(value, ...path);
  return (typeof found === 'string' ? found : digitsOf(found)) || undefined;
};

/** The list at a path; an empty list if there is none. */
export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
};
