import { Failure } from '../core/failure.ts';
import { isJsonObject, parseJson, valueAt } from '../core/json.ts';

/** Largest size of a key file, in bytes. */
export const MAX_KEY_FILE_BYTES = 64 * 1024;

/** The failure for a file that is too large to be a key file. */
export const tooLarge = (from: string): Failure =>
  new Failure('damaged_key_file', `${from} is too large for a key file`);

/** The JSON of a key file, called `from`. Throws `damaged_key_file`, which never quotes it. */
export const keyJson = (text: string, from: string): unknown => {
  if (text.length > MAX_KEY_FILE_BYTES) throw tooLarge(from);
  try {
    return parseJson(text);
  } catch {
    // The message of the parser quotes the text, which may be secret.
    throw new Failure('damaged_key_file', `${from} is not JSON`);
  }
};

/**
 * Reads the fields of a key file by their paths, and collects all problems. zod is not used, because it loads slower than
 * everything else before a key is derived.
 */
export type JsonFields = {
  /** Whether the field exists and is not null. */
  readonly has: (path: string) => boolean;
  /** The text of a field if it matches `form`, otherwise empty text. */
  readonly text: (path: string, form: RegExp, message: string) => string;
  /** Bytes as hex digits, `least` to `most` of them. */
  readonly hex: (path: string, least: number, most?: number, digits?: RegExp) => string;
  /** A whole number above zero, in plain digits. */
  readonly count: (path: string) => number;
  /** Requires this value. */
  readonly is: (path: string, value: string | number, message?: string) => boolean;
  /** Requires an object without other fields. The empty path is the file itself. No unknown name is quoted. */
  readonly only: (path: string, names: readonly string[]) => void;
  readonly wrong: (path: string, message: string) => void;
  readonly problems: () => readonly string[];
};

const ANY_CASE = /^[0-9a-f]+$/i;

const fieldAt = (json: unknown, path: string): unknown => (path === '' ? json : valueAt(json, ...path.split('.')));

/** Creates the reader of a parsed key file. */
export const fieldsOf = (json: unknown): JsonFields => {
  const problems: string[] = [];
  const wrong = (path: string, message: string): void => {
    problems.push(`${path} ${message}`.trim());
  };
  const text: JsonFields['text'] = (path, form, message) => {
    const value = fieldAt(json, path);
    if (typeof value === 'string' && form.test(value)) return value;
    wrong(path, message);
    return '';
  };
  return {
    has: (path) => (fieldAt(json, path) ?? undefined) !== undefined,
    text,
    hex: (path, least, most = least, digits = ANY_CASE) => {
      const size = `${least === most ? least : `${least} to ${most}`} bytes`;
      const message = `must be ${size} in hex digits${digits === ANY_CASE ? '' : ' of lower case'}`;
      const value = text(path, digits, message);
      const isWhole = value.length % 2 === 0 && value.length >= 2 * least && value.length <= 2 * most;
      if (value !== '' && !isWhole) wrong(path, message);
      return value;
    },
    count: (path) => {
      const value = fieldAt(json, path);
      if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
      wrong(path, 'must be a whole number above zero');
      return 0;
    },
    is: (path, value, message = `must be ${value}`) => {
      const isEqual = fieldAt(json, path) === value;
      if (!isEqual) wrong(path, message);
      return isEqual;
    },
    only: (path, names) => {
      const object = fieldAt(json, path);
      if (!isJsonObject(object)) wrong(path, 'must be an object');
      else if (Object.keys(object).some((name) => !names.includes(name))) wrong(path, 'has an unknown field');
    },
    wrong,
    problems: () => problems,
  };
};

/** The failure for a key file, called `from`, with a password derivation that costs too much time or memory. */
export const tooCostly = (from: string, kdf: string, problem: string): Failure =>
  new Failure('damaged_key_file', `${from} cannot be unlocked: in its ${kdf} parameters, ${problem}`, {
    hint: 'The file is damaged, or made to exhaust this machine. Nothing was derived from the password.',
  });
