import { digitsOf, isJsonObject } from '../../core/json.ts';

const DECIMAL = /^\d{1,30}(?:\.\d{1,30})?$/;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : digitsOf(value));

/** The service may write 49.9 for 49.90. */
const sameText = (a: string, b: string): boolean =>
  a === b || (DECIMAL.test(a) && DECIMAL.test(b) && Number(a) === Number(b));

/**
 * Whether everything that was given stands in what is stored, which may have more: objects by their fields, lists by
 * their places, as the service merges them.
 */
export const isStoredIn = (given: unknown, stored: unknown): boolean => {
  if (given === undefined) return true;
  if (Array.isArray(given)) return Array.isArray(stored) && given.every((one, at) => isStoredIn(one, stored[at]));
  if (isJsonObject(given)) {
    return isJsonObject(stored) && Object.entries(given).every(([name, one]) => isStoredIn(one, stored[name]));
  }
  const [a, b] = [textOf(given), textOf(stored)];
  return a === undefined || b === undefined ? given === stored : sameText(a, b);
};
