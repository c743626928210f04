import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { digitsOf, isJsonObject } from '../../core/json.ts';
import { isSameText } from '../../core/same-text.ts';

const comparableText = (value: unknown): string | undefined => (typeof value === 'string' ? value : digitsOf(value));

/** The service may write 49.9 for 49.90. */
const sameText = (a: string, b: string): boolean =>
  a === b || (isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0);

/** Whether everything that was given stands in what is stored: an object may have more there, a list may not. */
export const isStoredIn = (given: unknown, stored: unknown): boolean => {
  if (given === undefined) return true;
  if (Array.isArray(given)) {
    return (
      Array.isArray(stored) && stored.length === given.length && given.every((one, at) => isStoredIn(one, stored[at]))
    );
  }
  if (isJsonObject(given)) {
    return isJsonObject(stored) && Object.entries(given).every(([name, one]) => isStoredIn(one, stored[name]));
  }
  const [a, b] = [comparableText(given), comparableText(stored)];
  return a === undefined || b === undefined ? given === stored : sameText(a, b);
};

/** A service may know currencies in capitals alone. */
const IN_ANY_CASE: readonly string[] = ['from_currency_symbol', 'to_currency_symbol'];

const sameSymbol = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && isSameText(a, b);

/** Whether a field of an order is stored as it is given. */
const isFieldIn = (name: string, given: unknown, stored: unknown): boolean =>
  (IN_ANY_CASE.includes(name) && sameSymbol(given, stored)) || isStoredIn(given, stored);

/** The fields of an order that are not stored as they are given. */
export const differingFields = (
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): readonly string[] => Object.keys(given).filter((name) => !isFieldIn(name, given[name], stored[name]));
