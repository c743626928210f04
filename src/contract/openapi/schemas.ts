import * as z from 'zod';
import type { Shape } from '../define.ts';
import type { Schema } from '../rules.ts';

/** The fields of an object as JSON Schema. */
export type Fields = { readonly properties: Readonly<Record<string, Schema>>; readonly required: readonly string[] };

/** Turns zod schemas into JSON Schema (2020-12); those with a name are collected and referred to. */
export type Schemas = Readonly<ReturnType<typeof openSchemas>>;

const isNull = (schema: Schema): boolean => schema['type'] === 'null';

/** A union with no keyword besides its parts. */
const isUnion = (schema: Schema): boolean =>
  Array.isArray(schema['anyOf']) && Object.keys(schema).every((key) => ['anyOf', 'description'].includes(key));

/** Whether null can stand beside a type: not beside an enum, nor where the fields of an object are listed. */
const isTypeAlone = (schema: Schema = {}): boolean =>
  /^(?:string|number|boolean|object)$/.test(String(schema['type'])) && !schema['enum'] && !schema['properties'];

/** `anyOf` with null, as zod writes it, is a type among others wherever it can be. */
const withNull = (anyOf: readonly Schema[], rest: Schema): Schema => {
  const others = anyOf.filter((one) => !isNull(one));
  const [only, ...more] = others;
  const isPlain = more.length === 0 && isTypeAlone(only);
  if (only && others.length < anyOf.length && isPlain) return { ...only, ...rest, type: [only['type'], 'null'] };
  const flat = anyOf.flatMap((one) => (isUnion(one) ? (one['anyOf'] as readonly Schema[]) : [one]));
  const description = anyOf.find(isUnion)?.['description'];
  return { ...(description !== undefined && { description }), ...rest, anyOf: flat };
};

/** Keywords without meaning here: named schemas are components, and every name of a property is text. */
const SILENT = ['$defs', '$schema', 'propertyNames'];

/** `RegExp.source` escapes each slash, which means nothing in a pattern; generators escape it a second time. */
const plainSlashes = (pattern: string): string =>
  pattern.replaceAll(/\\(.)/g, (escaped, character) => (character === '/' ? '/' : escaped));

/**
 * A text with several patterns, which zod writes as `allOf` of patterns beside the rest. Generators need to read of
 * each part that it is a text.
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

/** Refers to components, and leaves out keywords without meaning here. */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).filter(([key]) => !SILENT.includes(key));
  const inner = Object.fromEntries(parts.map(([key, part]) => [key, tidy(part)]));
  return tidyObject(inner);
};

/** A collector for one document. */
export const openSchemas = () => {
  const named: Record<string, Schema> = {};
  const fieldsOf = (shape: Shape): Fields => {
    // What zod cannot express is stated beside it as metadata, or belongs to the words.
    const converted = z.toJSONSchema(z.object(shape), { io: 'input', unrepresentable: 'any' });
    for (const [name, schema] of Object.entries(converted.$defs ?? {})) named[name] ??= tidy(schema) as Schema;
    const { properties = {} } = tidy(converted) as Partial<Fields>;
    return { properties, required: converted.required ?? [] };
  };
  const of = (schema: z.ZodType): Schema => fieldsOf({ schema }).properties['schema'] ?? {};
  /** All that were referred to so far, by name. */
  const all = (): Readonly<Record<string, Schema>> => named;
  return { fieldsOf, of, named: all };
};
