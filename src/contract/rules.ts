import { isDecimal, sumDecimals } from '../core/decimal.ts';
import type { FieldError } from '../core/failure.ts';
import { digitsOf } from '../core/json.ts';
import type { ErrorStatus } from './errors.ts';

/** A part of a JSON Schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * A schema that requires a nested field, such as `card_data.card_token`. Linters require a keyword for other fields. It
 * is `unevaluatedProperties`, because with `additionalProperties` generators would accept any field.
 */
const having = (path: string, schema: Schema = {}): Schema => {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length > 0 ? having(rest.join('.'), schema) : schema;
  return { required: [name], properties: { [name]: inner }, unevaluatedProperties: true };
};

/** A schema that requires `fields` with any value. Linters require each of them as a property. */
export const havingAll = (fields: readonly string[]): Schema => ({
  required: fields,
  properties: Object.fromEntries(fields.map((field) => [field, {}])),
  unevaluatedProperties: true,
});

/** A schema that requires `fields` when the field `when` has a value of `is`. Without `is`, any value counts. */
const whenThen = (when: string, is: readonly string[] | undefined, fields: readonly string[]): Schema => ({
  if: having(when, is ? { enum: is } : {}),
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: havingAll(fields),
});

/** A schema that forbids the combination of these values. The keys are paths of fields. */
export const notTogether = (values: Readonly<Record<string, unknown>>): Schema => ({
  not: { allOf: Object.entries(values).map(([path, value]) => having(path, { const: value })) },
});

/** A flat input. Its values can have any type, because rules also run after a field failed its schema. */
export type Fields = Readonly<Record<string, unknown>>;

/** Makes a sentence about fields; `nameOf` returns the name to use for a field. */
type RuleText = (nameOf: (field: string) => string) => string;

/** The texts of a rule: with the names of its fields, and with other names. */
export const worded = (inWords: RuleText): Pick<Rule, 'message' | 'inWords'> => ({
  message: inWords((field) => field),
  inWords,
});

/** A rule between fields. Help, client, sandbox and reference use it. */
export type Rule = {
  /** The text of the rule in the reference. */
  readonly message: string;
  /** The text of the rule with other names for the fields, such as the names of options. */
  readonly inWords: RuleText;
  /** The fields that the rule requires when the field `when` has a value of `is`. */
  readonly requires?: { readonly fields: readonly string[]; readonly when: string; readonly is: readonly string[] };
  /** The rule for the body as JSON Schema, if JSON Schema can express it. */
  readonly schema?: Schema;
  /** The status for a broken rule, if it differs from the status for a failed schema. */
  readonly status?: ErrorStatus;
  readonly check: (input: Fields) => readonly FieldError[];
};

/** Reads a nested value by its path, such as `card_data.address.city`. */
export const valueAt = (input: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Fields | null | undefined)?.[key], input);

/** Whether a field has a value. An empty text is no value. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const missing = (input: Fields, fields: readonly string[], message: string): readonly FieldError[] =>
  fields.filter((field) => !isPresent(valueAt(input, field))).map((field) => ({ field, message, isMissing: true }));

/** A rule that requires `fields` when the field `when` has one of the values `is`. */
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

/** A rule that requires `fields` when the field `when` has any value. */
export const requiredWith = (when: string, fields: readonly string[]): Rule => ({
  ...worded((name) => `${fields.map(name).join(', ')}: required with ${name(when)}`),
  schema: whenThen(when, undefined, fields),
  check: (input) => (isPresent(valueAt(input, when)) ? missing(input, fields, `required with ${when}`) : []),
});

/** A rule that requires at least one of `fields`. */
export const atLeastOne = (fields: readonly string[]): Rule => ({
  ...worded((name) => `at least one of ${fields.map(name).join(', ')}`),
  schema: { anyOf: fields.map((field) => having(field)) },
  check: (input) =>
    fields.some((field) => isPresent(input[field]))
      ? []
      : [{ field: fields[0] ?? '', message: `at least one of ${fields.join(', ')} is required`, isMissing: true }],
});

/** A rule that requires exactly one of two nested fields when their parent has a value. */
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

/** A rule that at least one of the named booleans in the object `field` is true. It passes without the object. */
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

/** A rule that the percentages of a split sum to exactly 100, as decimals. It passes without a split. */
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

/** A rule against an input for which `breaks` returns true. `schema` is the same rule as JSON Schema. */
export const never = (field: string, inWords: RuleText, breaks: (input: Fields) => boolean, schema: Schema): Rule => ({
  ...worded((name) => `${name(field)}: ${inWords(name)}`),
  schema,
  check: (input) => (breaks(input) ? [{ field, message: inWords((each) => each) }] : []),
});
