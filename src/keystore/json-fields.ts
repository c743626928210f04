import { isJsonObject, valueAt } from '../core/json.ts';
/**
 * The fields of a key file, by their paths. What is wrong is gathered, so that all of it is named at once. zod would do
 * the same, and takes longer to load than all else that is done before a key is derived.
 */
export type JsonFields = {
  /** Whether there is such a field; one that is null counts as none. */
  readonly has: (path: string) => boolean;
  /** The text of a field that has a form; empty text where it has not. */
  readonly text: (path: string, form: RegExp, message: string) => string;
  /** Whole bytes as hex digits of one alphabet. */
  readonly hex: (path: string, least: number, most?: number, digits?: RegExp) => string;
  /** A whole number above zero, in plain digits. */
  readonly count: (path: string) => number;
  /** That a field has this value and no other. */
  readonly is: (path: string, value: string | number, message?: string) => boolean;
  /** That an object, the file itself by the empty path, has no other fields than these. No name is quoted. */
  readonly only: (path: string, names: readonly string[]) => void;
  readonly wrong: (path: string, message: string) => void;
  readonly problems: () => readonly string[];
};

const ANY_CASE = /^[0-9a-f]+$/i;

const fieldAt = (json: unknown, path: string): unknown => (path === '' ? json : valueAt(json, ...path.split('.')));

/** Starts looking at what a key file holds. */
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
      const isIt = fieldAt(json, path) === value;
      if (!isIt) wrong(path, message);
      return isIt;
    },
    only: (path, names) => {
      const object = fieldAt(json, path);
      if (!isJsonObject(object)) wrong(path, 'must be an object');
      else if (Object.keys(object).some((name) => !names.includes(name))) wrong(path, 'holds an unknown field');
    },
    wrong,
    problems: () => problems,
  };
};
