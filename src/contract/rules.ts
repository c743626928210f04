import { isDecimal, sumDecimals } from '../core/decimal.ts';
import type { FieldError } from '../core/failure.ts';
import { digitsOf } from '../core/json.ts';
import type { ErrorStatus } from './errors.ts';

/** A part of a JSON Schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * A schema for a field inside others, such as `card_data.card_token`, which must be there. Linters want to read that
 * other fields may be there as well; `additionalProperties` would make generators accept any.
 */
const having = (path: string, schema: Schema = {}): Schema => {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length > 0 ? having(rest.join('.'), schema) : schema;
  return { required: [name], properties: { [name]: inner }, unevaluatedProperties: true };
};

/** `fields` must be there, whatever they are. Linters want each required field named as a property. */
export const havingAll = (fields: readonly string[]): Schema => ({
  required: fields,
  properties: Object.fromEntries(fields.map((field) => [field, {}])),
  unevaluatedProperties: true,
});

/** `fields` are required when the field `when` is one of `is`; without `is`, when it is there at all. */
const whenThen = (when: string, is: readonly string[] | undefined, fields: readonly string[]): Schema => ({
  if: having(when, is ? { enum: is } : {}),
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: havingAll(fields),
});

/** Not all of these fields may have these values at once. */
export const notTogether = (values: Readonly<Record<string, unknown>>): Schema => ({
  not: { allOf: Object.entries(values).map(([path, value]) => having(path, { const: value })) },
});

/** A flat input. Rules run even when a field failed its schema, so any of them may hold anything. */
export type Fields = Readonly<Record<string, unknown>>;

/** A sentence about fields. */
type Worded = (nameOf: (field: string) => string) => string;

/** A rule in words: with the names of its fields, and with other names. */
export const worded = (inWords: Worded): Pick<Rule, 'message' | 'inWords'> => ({
  message: inWords((field) => field),
  inWords,
});

/** Something that must hold between fields, stated once for help, client, sandbox and reference. */
export type Rule = {
  /** The rule in words, as the reference shows it. */
  readonly message: string;
  /** The same with other names for the fields, such as those of options. */
  readonly inWords: Worded;
  /** Fields that become required, and for which value of which other field. */
  readonly requires?: { readonly fields: readonly string[]; readonly when: string; readonly is: readonly string[] };
  /** The same for the body as JSON Schema, where that can say it. */
  readonly schema?: Schema;
  /** The status that a breach gives, where it is not the one of a failed schema. */
  readonly status?: ErrorStatus;
  readonly check: (input: Fields) => readonly FieldError[];
};

/** Reads a nested value by its path, such as `card_data.address.city`. */
export const valueAt = (input: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Fields | null | undefined)?.[key], input);

/** Whether a field was given: an empty text is not. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const missing = (input: Fields, fields: readonly string[], message: string): readonly FieldError[] =>
  fields.filter((field) => !isPresent(valueAt(input, field))).map((field) => ({ field, message, isMissing: true }));

/** `fields` are required when the field `when` has one of the values `is`. */
export const requiredWhen = (when: string, is: readonly string[], fields: readonly string[]): Rule => ({
  ...worded((name) => `${fields.map(name).join(', ')}: required when ${name(when)} is ${is.join(' or ')}`),
  requires: { fields, when, is },
  schema: whenThen(when, is, fields),
  check: (input) => {
    const value = valueAt(input, when);
    if (typeof value !== 'string' || !is.includes(value)) return [];
    return missing(input, fields, `required when ${when} is ${value}`);
  },
});

/** `fields` are required when the field `when` is given at all. */
export const requiredWith = (when: string, fields: readonly string[]): Rule => ({
  ...worded((name) => `${fields.map(name).join(', ')}: required with ${name(when)}`),
  schema: whenThen(when, undefined, fields),
  check: (input) => (isPresent(valueAt(input, when)) ? missing(input, fields, `required with ${when}`) : []),
});

/** At least one of `fields` must be given. */
export const atLeastOne = (fields: readonly string[]): Rule => ({
  ...worded((name) => `at least one of ${fields.map(name).join(', ')}`),
  schema: { anyOf: fields.map((field) => having(field)) },
  check: (input) =>
    fields.some((field) => isPresent(input[field]))
      ? []
      : [{ field: fields[0] ?? '', message: `at least one of ${fields.join(', ')} is required`, isMissing: true }],
});

/** Exactly one of two nested fields, when their common parent `parent` is given. */
export const exactlyOne = (parent: string, one: string, other: string): Rule => ({
  ...worded((name) => `${name(parent)}: exactly one of ${one} and ${other}`),
  schema: { properties: { [parent]: { oneOf: [one, other].map((field) => having(field)) } } },
  check: (input) => {
    if (!isPresent(valueAt(input, parent))) return [];
    const [hasOne, hasOther] = [one, other].map((field) => isPresent(valueAt(input, `${parent}.${field}`)));
    if (hasOne !== hasOther) return [];
    const message = `exactly one of ${one} and ${other} is required`;
    return [{ field: `${parent}.${one}`, message, ...(hasOne ? {} : { isMissing: true }) }];
  },
});

/** In an object of booleans, when it is given, at least one of those named is true. */
export const oneIsTrue = (field: string, names: readonly string[]): Rule => ({
  ...worded((name) => `${name(field)}: at least one must be true`),
  schema: { properties: { [field]: { anyOf: names.map((name) => having(name, { const: true })) } } },
  check: (input) => {
    const value = input[field];
    if (typeof value !== 'object' || value === null) return [];
    if (names.some((name) => valueAt(value, name) === true)) return [];
    return [{ field, message: 'at least one must be true' }];
  },
});

/** The percentages of a split, when it is given, sum to exactly 100. They are summed as decimals. */
export const sumsTo100 = (field: string): Rule => ({
  ...worded((name) => `${name(field)}: receiver_percent over all entries must sum to exactly 100`),
  check: (input) => {
    const entries = input[field];
    if (!Array.isArray(entries)) return [];
    const percents = entries.map((_, index) => digitsOf(valueAt(entries, `${index}.receiver_percent`)) ?? '');
    if (!percents.every(isDecimal)) return [];
    const sum = sumDecimals(percents);
    return sum === '100' ? [] : [{ field, message: `percentages sum to ${sum}, not to 100` }];
  },
});

/** A rule with a form of its own: `breaks` is true for an input that breaks it, `schema` is the same as JSON Schema. */
export const never = (field: string, inWords: Worded, breaks: (input: Fields) => boolean, schema: Schema): Rule => ({
  ...worded((name) => `${name(field)}: ${inWords(name)}`),
  schema,
  check: (input) => (breaks(input) ? [{ field, message: inWords((each) => each) }] : []),
});
