import * as z from 'zod';
import { compareDecimals, DECIMAL, isDecimal, LOOSE_DECIMAL, plainDecimal } from '../core/decimal.ts';
import { digitsOf, type ExactNumber, isExactNumber } from '../core/json.ts';

/** Adds metadata to a new schema in place. `describe` and `meta` would copy the schema at each start. */
export const noted = <T extends z.ZodType>(schema: T, meta: z.core.GlobalMeta): T => {
  z.globalRegistry.add(schema, meta);
  return schema;
};

/** Free text, not empty. */
export const text = (description: string) =>
  noted(z.string('must be text').min(1, 'must not be empty'), { description });

/** A moment in an answer (ISO 8601; RFC 3339 in a generated client). */
export const moment = (description: string) => noted(text(description), { description, format: 'date-time' });

/** Text that may be empty. */
export const anyText = (description: string) => noted(z.string('must be text'), { description });

/** Text with values from the document, which may not be complete. Other values pass. */
export const observed = (values: readonly string[], description: string, as: typeof text | typeof anyText = text) =>
  noted(as(description), { description, examples: [...values] });

/** An address in an answer: a URL, a data URL or another URI. The schema checks only that it is text. */
export const uri = (description: string, as: typeof text | typeof anyText = anyText) =>
  noted(as(description), { description, format: 'uri' });

const TOO_LONG = 'is too long for an amount';
const decimalText = () => z.string('must be a decimal written as text, such as "10.50"').max(100, TOO_LONG);

/** A decimal amount as text. Money is never a JSON number, because numbers lose digits. */
export const decimal = (description: string) =>
  noted(decimalText().regex(DECIMAL, 'must be a decimal such as 10 or 10.50'), { description });

/** A decimal above zero. */
export const positiveDecimal = (description: string) =>
  noted(
    decimalText().regex(DECIMAL, 'must be a decimal such as 10 or 10.50').regex(/[1-9]/, 'must be greater than zero'),
    { description },
  );

/** A decimal above zero with optional outer spaces and an optional exponent. The text is sent unchanged. */
export const loosePositiveDecimal = (description: string) =>
  noted(
    decimalText()
      .regex(LOOSE_DECIMAL, 'must be a decimal such as 10, 10.50 or 1e1')
      .regex(/^[^eE]*[1-9]/, 'must be greater than zero')
      .refine((value) => plainDecimal(value) !== undefined, TOO_LONG),
    { description },
  );

/** An id or a name as one segment of a path. It cannot lead to another endpoint. */
export const segment = (description: string) =>
  text(description).regex(
    /^(?:\.{3,}|\.*[^.\s/\\?#%][^\s/\\?#%]*)$/,
    'must not hold spaces or any of / \\ ? # %, or be . or ..',
  );

/** Bytes as base64 text (RFC 4648, section 4). */
export const base64 = (description: string) =>
  noted(
    text(description)
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')
      .refine((value) => value.length % 4 === 0, 'must be base64: its length is a multiple of 4'),
    { description, contentEncoding: 'base64' },
  );

/** Bytes as base64 text in an answer. Any text passes; the review reports bad base64. */
export const base64Answer = (description: string) =>
  noted(text(description), { description, contentEncoding: 'base64' });

/** Bytes as hex text, with or without 0x. It is sent with 0x. */
export const hex = (description: string) =>
  noted(
    z
      .string('must be text')
      .min(1, 'must not be empty')
      .regex(/^(?:0[xX])?(?:[0-9a-fA-F]{2})+$/, 'must be hex: two digits for each byte, with or without 0x')
      .overwrite((value) => `0x${value.replace(/^0x/i, '')}`),
    { description },
  );

/** One of a fixed list of words. */
export const oneOf = <const V extends readonly string[]>(values: V, description: string) =>
  noted(z.enum(values, `must be one of ${values.join(', ')}`), { description });

/**
 * One of a fixed list of words, each with its meaning. OpenAPI documents have the meanings under `x-enumDescriptions`.
 * Commands make an option of each word.
 */
export const choice = <const M extends Readonly<Record<string, string>>>(meanings: M, description: string) => {
  const words = Object.keys(meanings) as [keyof M & string, ...(keyof M & string)[]];
  return noted(z.enum(words, `must be one of ${words.join(', ')}`), { description, 'x-enumDescriptions': meanings });
};

/** A JSON boolean. */
export const flag = (description: string) => noted(z.boolean('must be true or false'), { description });

/** An absolute http or https address. */
export const webAddress = (description: string) =>
  noted(
    z
      .string('must be text')
      .regex(/^[hH][tT][tT][pP][sS]?:\/\/[^\s/]+\S*$/, 'must be an http(s) address, such as https://example.com/hook'),
    { description, format: 'uri' },
  );

/** An e-mail address. It is sent in lower case, as the document recommends. */
export const email = (description: string) =>
  noted(
    z
      .string('must be text')
      .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an e-mail address')
      .toLowerCase(),
    { description, format: 'email' },
  );

/** A JSON number without rounding: a number, or an exact number if JavaScript would round it. */
export const number = (description: string) =>
  noted(
    z.custom<number | ExactNumber>((value) => typeof value === 'number' || isExactNumber(value), 'must be a number'),
    { description, type: 'number' },
  );

/** A percentage as an exact JSON number from 0 to 100. */
export const percent = (description: string) =>
  noted(
    number(description).refine((value) => {
      const digits = digitsOf(value) ?? '';
      return isDecimal(digits) && compareDecimals(digits, '100') <= 0;
    }, 'must be a percentage from 0 to 100'),
    { minimum: 0, maximum: 100 },
  );

/** A whole JSON number between two bounds, both included. */
export const whole = (least: number, most: number, description: string) =>
  noted(z.int('must be a whole number').min(least, `must be at least ${least}`).max(most, `must be at most ${most}`), {
    description,
  });

/**
 * An object with the fields that the document shows. Other fields pass. Exact numbers are objects in JavaScript; their
 * mark `isLosslessNumber` excludes them here. With a name, the object is a component of the OpenAPI document.
 */
export const open = <S extends z.core.$ZodLooseShape>(shape: S, description: string, name?: string) =>
  noted(
    z
      .looseObject(shape, 'must be an object')
      .refine((value) => value['isLosslessNumber'] !== true, 'must be an object'),
    { description, ...(name && { id: name }) },
  );

/** An object with fields that the document does not show. */
export const undocumented = (description: string) =>
  noted(z.record(z.string(), z.unknown(), 'must be an object'), { description });

/** A list of items with the same schema. */
export const list = <T extends z.ZodType>(item: T, description: string) =>
  noted(z.array(item, 'must be a list'), { description });

/** An optional symbol of a quote: letters, digits, `.`, `_`, `-`; at most 64 characters. Document: Limits. */
export const marketSymbol = (description: string) =>
  text(description)
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be letters, digits, ".", "_" or "-", at most 64')
    .describe(description)
    .optional();
