import type { AnyEndpoint, Effect, Shape } from '../define.ts';
import type { Schema } from '../rules.ts';
import { answersOf } from './answers.ts';
import { camel, type DocumentParts, pascal } from './parts.ts';
import type { Schemas } from './schemas.ts';

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'Changes nothing, and may be repeated.',
  writes: 'Makes or changes a record: repeated, it may make another.',
  spends_quota: 'Uses up a quota of e-mails, attempts or sessions: not to be repeated by itself.',
  moves_money: 'May move money: when its answer is lost, read the state back before anything else.',
};

/** Schemas by the name of their component. */
type Named = Readonly<Record<string, Schema>>;

const isUndefined = (value: unknown): boolean => value === undefined;

const parametersOf = (schemas: Schemas, where: 'path' | 'query', shape: Shape | undefined, example: Schema) => {
  const { properties, required } = schemas.fieldsOf(shape ?? {});
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    ...(required.includes(name) && { required: true }),
    description,
    schema,
    ...(!isUndefined(example[name]) && { example: example[name] }),
  }));
};

const descriptionOf = ({ summary, effect, rules = [] }: AnyEndpoint): string => {
  const listed = rules.map((rule) => `\n- ${rule.message}`).join('');
  return `${summary}. ${EFFECTS[effect]}${listed && `\n\nRules between fields:\n${listed}`}`;
};

/**
 * Leaves `additionalProperties: true` out wherever fields are listed. The default of JSON Schema is the same, but
 * generators make an index signature of it, and with that a misspelt field compiles.
 */
const listed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(listed);
  if (typeof value !== 'object' || value === null) return value;
  const { additionalProperties, ...rest } = value as Schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, listed(part)]));
  const isListed = additionalProperties === true && 'properties' in rest;
  return { ...inner, ...(additionalProperties !== undefined && !isListed && { additionalProperties }) };
};

/**
 * The rules between fields, where JSON Schema can say them. `if` holds always: validators check `then`, and generators of
 * types leave both out. Of `allOf` beside the fields some make types that accept any field.
 */
const rulesSchema = (rules: readonly Schema[]): Schema => {
  const [first, ...more] = rules;
  if (!first) return {};
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: {}, then: more.length > 0 ? { allOf: rules } : first };
};

/** The body's own schema. */
const bodySchema = (schemas: Schemas, { body = {}, rules = [], unshownInput }: AnyEndpoint): Schema => {
  const { properties, required } = schemas.fieldsOf(body);
  const held = rules.flatMap(({ schema }) => (schema ? [schema] : []));
  return {
    type: 'object',
    properties: listed(properties),
    ...(required.length > 0 && { required }),
    ...(unshownInput && { additionalProperties: true }),
    ...rulesSchema(held),
  };
};

const bodyOf = (endpoint: AnyEndpoint): Schema => {
  const entries = Object.entries(endpoint.example).filter(([name]) => name in (endpoint.body ?? {}));
  const schema = { $ref: `#/components/schemas/${requestName(endpoint)}` };
  return { required: true, content: { 'application/json': { schema, example: Object.fromEntries(entries) } } };
};

const requestName = ({ id }: AnyEndpoint): string => `${pascal(id)}Request`;

/** The bodies of all requests, by the name of their component. */
export const requestsOf = (schemas: Schemas, endpoints: readonly AnyEndpoint[]): Named =>
  Object.fromEntries(
    endpoints.filter(({ body }) => body).map((endpoint) => [requestName(endpoint), bodySchema(schemas, endpoint)]),
  );

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

const referredIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, name = '']) => name);

/** Requests and all other named schemas; a schema that a request refers to lists its fields as the request does. */
export const listedInRequests = (named: Named, requests: Named): Named => {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const inner of referredIn(named[name] ?? {})) visit(inner);
  };
  for (const name of referredIn(requests)) visit(name);
  const entries = Object.entries(named).map(
    ([name, schema]) => [name, reached.has(name) ? listed(schema) : schema] as const,
  );
  return { ...(Object.fromEntries(entries) as Named), ...requests };
};

/** One endpoint as an OpenAPI operation. */
export const operationOf = (parts: DocumentParts, endpoint: AnyEndpoint): Schema => {
  const { id, summary, params, query, body, example, key } = endpoint;
  const parameters = [
    ...parametersOf(parts.schemas, 'path', params, example),
    ...parametersOf(parts.schemas, 'query', query, example),
  ];
  const [area = ''] = id.split('.');
  return {
    operationId: camel(id),
    tags: [parts.tags[area]?.name],
    summary,
    description: descriptionOf(endpoint),
    ...(key === 'optional' && { security: [{ ApiKey: [] }, {}] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(endpoint) }),
    responses: answersOf(parts, endpoint),
  };
};
