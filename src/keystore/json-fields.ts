import { Failure, undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson, valueAt } from '../core/json.ts';

/** Largest size of a key file, in bytes. */
export const MAX_KEY_FILE_BYTES = 64 * 1024;

/** The failure for a file that is too large to be a key file. */
export const tooLarge = (from: string): Failure =>
  new Failure('damaged_key_file', `${from} is too large for a key file`);

/** The JSON of a key file, called `from`. Throws `damaged_key_file`, which never quotes it. */
export const keyJson = (text: string, from: string): unknown => {
  if (text.length > MAX_KEY_FILE_BYTES) throw tooLarge(from);
  const json = undefinedOn(() => parseJson(text));
  if (json !== undefined) return json;
  // The message of the parser quotes the text, which may be secret.
  throw new Failure('damaged_key_file', `${from} is not JSON`);
};

const ANY_CASE = /^[0-9a-f]+$/i;

const fieldAt = (json: unknown, path: string): unknown => (path === '' ? json : valueAt(json, ...path.split('.')));

/**
 * Reads the fields of a parsed key file by their paths, and collects all problems. zod is not used, because it loads
 * slower than everything else before a key is derived.
 */
export const fieldsOf = (json: unknown) => {
  const problems: string[] = [];
  const wrong = (path: string, message: string): void => {
    problems.push(`${path} ${message}`.trim());
  };
  const text = (path: string, form: RegExp, message: string): string => {
    const value = fieldAt(json, path);
    if (typeof value === 'string' && form.test(value)) return value;
    wrong(path, message);
    return '';
  };
  return {
    /** Whether the field exists and is not null. */
    has: (path: string) => (fieldAt(json, path) ?? undefined) !== undefined,
    /** The text of a field if it matches `form`, otherwise empty text. */
    text,
    /** Bytes as hex digits, `least` to `most` of them. */
    hex: (path: string, least: number, most = least, digits = ANY_CASE) => {
      const size = `${least === most ? least : `${least} to ${most}`} bytes`;
      const message = `must be ${size} in hex digits${digits === ANY_CASE ? '' : ' of lower case'}`;
      const value = text(path, digits, message);
      const isWhole = value.length % 2 === 0 && value.length >= 2 * least && value.length <= 2 * most;
      if (value !== '' && !isWhole) wrong(path, message);
      return value;
    },
    /** A whole number above zero, in plain digits. */
    count: (path: string): number => {
      const value = fieldAt(json, path);
      if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
      wrong(path, 'must be a whole number above zero');
      return 0;
    },
    /** Requires this value. */
    is: (path: string, value: string | number, message = `must be ${value}`) => {
      const isEqual = fieldAt(json, path) === value;
      if (!isEqual) wrong(path, message);
      return isEqual;
    },
    /** Requires an object without other fields. The empty path is the file itself. No unknown name is quoted. */
    only: (path: string, names: readonly string[]) => {
      const object = fieldAt(json, path);
      if (!isJsonObject(object)) wrong(path, 'must be an object');
      else if (Object.keys(object).some((name) => !names.includes(name))) wrong(path, 'has an unknown field');
    },
    wrong,
    problems: (): readonly string[] => problems,
  };
};

/** The reader of a parsed key file. */
export type JsonFields = ReturnType<typeof fieldsOf>;

/** The failure for a key file, called `from`, with a password derivation that costs too much time or memory. */
export const tooCostly = (from: string, kdf: string, problem: string): Failure =>
  new Failure('damaged_key_file', `${from} cannot be unlocked: in its ${kdf} parameters, ${problem}`, {
    hint: 'The file is damaged, or made to exhaust this machine. Nothing was derived from the password.',
  });
