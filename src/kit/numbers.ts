import type * as z from 'zod';
import { formatDecimal, isDecimal, parseDecimal, plainDecimal } from '../core/decimal.ts';
import { exactNumber, isExactNumber } from '../core/json.ts';

/**
 * A number of the service without rounding. It is a number where JavaScript holds it exactly. A larger whole number of at
 * most 1,000 digits is a bigint, and any other number is text with its digits.
 */
export type ExactNumber = number | bigint | string;

/** Amounts in wei are always bigint. The names are of the object and of its field. Document: crypto_tx (EVM family). */
export const isWei = (object: string, field: string): boolean => object === 'transactionRequest' && field === 'value';

/** A longer number is no amount, and the arithmetic of a bigint with millions of digits takes seconds. */
const MAX_DIGITS = 1_000;

const wholeNumber = (digits: string): ExactNumber => {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  return digits.length > MAX_DIGITS ? digits : BigInt(digits);
};

const plainNumber = (digits: string): ExactNumber => {
  if (/^-?\d+$/.test(digits)) return wholeNumber(digits);
  const plain = plainDecimal(digits);
  if (plain === undefined) return digits;
  const shortest = formatDecimal(parseDecimal(plain));
  if (/^\d+$/.test(shortest)) return wholeNumber(shortest);
  return String(Number(shortest)) === shortest ? Number(shortest) : shortest;
};

const weiOf = (value: ExactNumber): ExactNumber =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

/** An answer of the service with plain values: its exact numbers become `ExactNumber`, and amounts in wei bigint. */
export const toPlain = (value: unknown, name = ''): unknown => {
  if (isExactNumber(value)) return plainNumber(value.toString());
  if (Array.isArray(value)) return value.map((each) => toPlain(each, name));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([field, part]): [string, unknown] => {
    const plain = toPlain(part, field);
    return [field, isWei(name, field) ? weiOf(plain as ExactNumber) : plain];
  });
  return Object.fromEntries(entries);
};

type Definition = {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
};

/** The definition of a schema in zod's own terms, without the wrappers of an optional schema. */
export const definitionOf = (schema: z.ZodType): Definition => {
  const definition = schema.def as unknown as Definition;
  const isWrapper = ['optional', 'nullable', 'default'].includes(definition.type);
  return isWrapper && definition.innerType ? definitionOf(definition.innerType) : definition;
};

const wireNumber = (value: unknown): unknown => {
  if (typeof value === 'bigint') return exactNumber(String(value));
  return typeof value === 'string' && isDecimal(value) ? exactNumber(value) : value;
};

/** A value of a caller for its schema: where the schema has a number, a bigint or a decimal text becomes that number. */
export const toWire = (schema: z.ZodType | undefined, value: unknown): unknown => {
  if (schema === undefined) return value;
  const { type, element, shape } = definitionOf(schema);
  if (type === 'custom') return wireNumber(value);
  if (Array.isArray(value)) return element ? value.map((each) => toWire(element, each)) : value;
  if (shape === undefined || typeof value !== 'object' || value === null) return value;
  return fieldsToWire(shape, value);
};

/** The fields of a caller for their schemas. A field without a schema is unchanged. */
export const fieldsToWire = (shape: Readonly<Record<string, z.ZodType>>, fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      toWire(Object.hasOwn(shape, name) ? shape[name] : undefined, value),
    ]),
  );
