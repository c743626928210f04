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
export const whenThen = (when: string, is: readonly string[] | undefined, fields: readonly string[]): Schema => ({
  if: having(when, is ? { enum: is } : {}),
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: havingAll(fields),
});

/** At least one of `fields` must be there. */
export const anyOfFields = (fields: readonly string[]): Schema => ({ anyOf: fields.map((field) => having(field)) });

/** In `parent`, when it is there, exactly one of `fields` must be. */
export const oneOfFields = (parent: string, fields: readonly string[]): Schema => ({
  properties: { [parent]: { oneOf: fields.map((field) => having(field)) } },
});

/** In the object `field`, when it is there, at least one of `names` is true. */
export const anyTrue = (field: string, names: readonly string[]): Schema => ({
  properties: { [field]: { anyOf: names.map((name) => having(name, { const: true })) } },
});

/** Not all of these fields may have these values at once. */
export const notTogether = (values: Readonly<Record<string, unknown>>): Schema => ({
  not: { allOf: Object.entries(values).map(([path, value]) => having(path, { const: value })) },
});
