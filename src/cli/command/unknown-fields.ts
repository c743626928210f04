import type { Endpoint } from '../../contract/define.ts';
import { closest } from '../../core/closest.ts';
import { isJsonObject } from '../../core/json.ts';
import { inputSchema, type JsonSchema } from './fields.ts';

/** An undocumented field, and the field that the user probably meant. */
export type UnknownField = { readonly field: string; readonly instead: string | undefined };

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Resolves a reference such as `#/$defs/Receiver`. */
const resolved = (schema: JsonSchema, named: Schemas): JsonSchema =>
  named[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

const propertiesOf = (schema: JsonSchema): Schemas =>
  Object.assign({}, ...[schema, ...(schema.anyOf ?? [])].map((one) => (one as JsonSchema).properties ?? {})) as Schemas;

const unknownIn = (schemas: Schemas, named: Schemas, value: object, path: string): readonly UnknownField[] =>
  Object.entries(value).flatMap(([name, inner]) => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) return [{ field: `${path}${name}`, instead: closest(name, Object.keys(schemas)) }];
    return unknownUnder(schema, named, inner, `${path}${name}`);
  });

/** A schema without named fields allows any field. */
const unknownUnder = (at: JsonSchema, named: Schemas, value: unknown, path: string): readonly UnknownField[] => {
  const schema = resolved(at, named);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!isJsonObject(items)) return [];
    return value.flatMap((one, index) => unknownUnder(items as JsonSchema, named, one, `${path}.${index}`));
  }
  const properties = propertiesOf(schema);
  const isOpen = Object.keys(properties).length === 0 || !isJsonObject(value);
  return isOpen ? [] : unknownIn(properties, named, value, `${path}.`);
};

/** The input fields that no endpoint documents. */
export const unknownFields = (endpoints: readonly Endpoint[], input: object): readonly UnknownField[] => {
  const schemas = endpoints.map(inputSchema);
  const named = Object.assign({}, ...schemas.map(({ $defs }) => $defs ?? {})) as Schemas;
  return unknownIn(Object.assign({}, ...schemas.map(propertiesOf)) as Schemas, named, input, '');
};

/** The end of a sentence about the field: "did you mean …?". */
export const meantInstead = ({ instead }: UnknownField): string =>
  instead === undefined ? '' : `; did you mean ${instead}?`;
