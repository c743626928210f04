import { digitsOf, isJsonObject } from './json.ts';

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
