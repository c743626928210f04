import * as z from 'zod';
import type { Shape } from '../define.ts';
import type { Schema } from '../rules.ts';

/** The fields of an object as JSON Schema. */
export type Fields = { readonly properties: Readonly<Record<string, Schema>>; readonly required: readonly string[] };

/** Converts zod schemas to JSON Schema (2020-12). Schemas with a name become components with references. */
export type Schemas = Readonly<ReturnType<typeof openSchemas>>;

const isNull = (schema: Schema): boolean => schema['type'] === 'null';

/** Whether a schema is a union without further keywords. */
const isUnion = (schema: Schema): boolean =>
  Array.isArray(schema['anyOf']) && Object.keys(schema).every((key) => ['anyOf', 'description'].includes(key));

/** Whether a schema can become a list of types with null. Enums and objects with properties cannot. */
const isTypeAlone = (schema: Schema = {}): boolean =>
  /^(?:string|number|boolean|object)$/.test(String(schema['type'])) && !schema['enum'] && !schema['properties'];

/** Converts `anyOf` with null, as zod writes it, to a list of types if possible. */
const withNull = (anyOf: readonly Schema[], rest: Schema): Schema => {
  const others = anyOf.filter((one) => !isNull(one));
  const [only, ...more] = others;
  const isPlain = more.length === 0 && isTypeAlone(only);
  if (only && others.length < anyOf.length && isPlain) return { ...only, ...rest, type: [only['type'], 'null'] };
  const flat = anyOf.flatMap((one) => (isUnion(one) ? (one['anyOf'] as readonly Schema[]) : [one]));
  const description = anyOf.find(isUnion)?.['description'];
  return { ...(description !== undefined && { description }), ...rest, anyOf: flat };
};

/** Keywords to remove. Named schemas are components, and all property names are text. */
const SILENT = ['$defs', '$schema', 'propertyNames'];

/** Removes the escape of slashes by `RegExp.source`. A pattern does not need it, and generators would escape it again. */
const plainSlashes = (pattern: string): string =>
  pattern.replaceAll(/\\(.)/g, (escaped, character) => (character === '/' ? '/' : escaped));

/**
 * Converts a text with several patterns. zod writes it as `allOf` of patterns. Generators need the type in each part of
 * `allOf`.
 */
const withPatterns = ({ allOf, type, description, ...rest }: Schema): Schema => {
  const [first, ...more] = (allOf as readonly Schema[]).map((part) => ({ type, ...part }));
  return { type, description, allOf: [{ ...rest, ...first }, ...more] };
};

const tidyObject = ({ anyOf, $ref, ...rest }: Schema): Schema => {
  const plain = rest['type'] === 'string' && rest['allOf'] ? withPatterns(rest) : rest;
  const whole = anyOf ? withNull(anyOf as readonly Schema[], plain) : plain;
  const isOpen = JSON.stringify(whole['additionalProperties']) === '{}';
  return {
    ...(typeof $ref === 'string' && { $ref: $ref.replace('#/$defs/', '#/components/schemas/') }),
    ...whole,
    ...(typeof whole['pattern'] === 'string' && { pattern: plainSlashes(whole['pattern']) }),
    ...(isOpen && { additionalProperties: true }),
  };
};

/** Rewrites references to components, and removes unneeded keywords. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).filter(([key]) => !SILENT.includes(key));
  const inner = Object.fromEntries(parts.map(([key, part]) => [key, tidy(part)]));
  return tidyObject(inner);
};

/** Opens the collector of schemas for one document. */
export const openSchemas = () => {
  const named: Record<string, Schema> = {};
  const fieldsOf = (shape: Shape): Fields => {
    // Schemas that zod cannot convert have metadata with their type, or no type.
    const converted = z.toJSONSchema(z.object(shape), { io: 'input', unrepresentable: 'any' });
    for (const [name, schema] of Object.entries(converted.$defs ?? {})) named[name] ??= tidy(schema) as Schema;
    const { properties = {} } = tidy(converted) as Partial<Fields>;
    return { properties, required: converted.required ?? [] };
  };
  const of = (schema: z.ZodType): Schema => fieldsOf({ schema }).properties['schema'] ?? {};
  /** All referenced schemas so far, by name. */
  const all = (): Readonly<Record<string, Schema>> => named;
  return { fieldsOf, of, named: all };
};
