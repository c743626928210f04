import type { AnyEndpoint, Effect, Shape } from '../define.ts';
import type { Schema } from '../rules.ts';
import { answersOf, envelopeSchema } from './answers.ts';
import { camel, type DocumentParts, openShared, pascal, type Tag } from './parts.ts';
import { openSchemas, type Schemas } from './schemas.ts';

/** The facts about one deployment in a document. */
export type DocumentOptions = {
  /** The version of this description. The service shows no version of its own. */
  readonly version: string;
  /** The address of a deployment. Without it the document has a variable. */
  readonly baseUrl?: string | undefined;
};

/** An API to describe in a document: its endpoints, and the facts that they share. */
export type Api = {
  readonly title: string;
  readonly description: string;
  readonly endpoints: readonly AnyEndpoint[];
  /** The tags of the areas, in the order of the reference. */
  readonly tags: Readonly<Record<string, Tag>>;
  /** The security scheme: its name, the header of the key, and a description of the key. */
  readonly key: { readonly name: string; readonly header: string; readonly description: string };
  readonly server: { readonly description: string; readonly openDescription: string; readonly example: string };
  /** The meaning of each error, and the status of the error that lists wrong fields. */
  readonly meanings: DocumentParts['meanings'];
  readonly namesFields: string;
  /** The webhooks of the API. */
  readonly webhooks?: (schemas: Schemas) => Schema;
};

const infoOf = ({ title, description }: Api, version: string): Schema => ({
  title,
  version,
  description,
  contact: { name: 'Operator of the deployment' },
  license: { name: 'MIT', identifier: 'MIT' },
});

const serverOf = ({ server }: Api, baseUrl: string | undefined): Schema =>
  baseUrl
    ? { url: baseUrl, description: server.description }
    : {
        url: '{base_url}',
        description: server.openDescription,
        variables: { base_url: { default: server.example } },
      };

const pathsOf = (parts: DocumentParts, endpoints: readonly AnyEndpoint[]): Schema => {
  const paths: Record<string, Schema> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(parts, endpoint) };
  }
  return paths;
};

const sorted = (named: Readonly<Record<string, Schema>>): Schema =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Makes the OpenAPI 3.1 document of an API. */
export const openApi = (api: Api, { version, baseUrl }: DocumentOptions): Schema => {
  const { endpoints, tags, meanings, namesFields, key } = api;
  const parts: DocumentParts = { schemas: openSchemas(), shared: openShared(), tags, meanings, namesFields };
  const { schemas, shared } = parts;
  const paths = pathsOf(parts, endpoints);
  const webhooks = api.webhooks?.(schemas);
  const requests = requestsOf(schemas, endpoints);
  return {
    openapi: '3.1.0',
    info: infoOf(api, version),
    servers: [serverOf(api, baseUrl)],
    security: [{ [key.name]: [] }],
    tags: Object.values(tags),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      securitySchemes: { [key.name]: { type: 'apiKey', in: 'header', name: key.header, description: key.description } },
      schemas: sorted(listedInRequests({ Envelope: envelopeSchema(namesFields), ...schemas.named() }, requests)),
      responses: shared.all(),
    },
  };
};

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'Changes nothing, and may be repeated.',
  writes: 'Makes or changes a record: repeated, it may make another.',
  spends_quota: 'Uses up a quota of e-mails, attempts or sessions: not to be repeated by itself.',
  moves_money: 'May move money: when its answer is lost, read the state back before anything else.',
};

/** Schemas by component name. */
type Named = Readonly<Record<string, Schema>>;

const parametersOf = (schemas: Schemas, where: 'path' | 'query', shape: Shape | undefined, example: Schema) => {
  const { properties, required } = schemas.fieldsOf(shape ?? {});
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    ...(required.includes(name) && { required: true }),
    description,
    schema,
    ...(example[name] !== undefined && { example: example[name] }),
  }));
};

const descriptionOf = ({ summary, effect, rules = [] }: AnyEndpoint): string => {
  const listed = rules.map((rule) => `\n- ${rule.message}`).join('');
  return `${summary}. ${EFFECTS[effect]}${listed && `\n\nRules between fields:\n${listed}`}`;
};

/**
 * Removes `additionalProperties: true` from schemas with properties. The default of JSON Schema is the same. Generators
 * would make an index signature of it, and then a misspelt field would compile.
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
 * The rules between fields that JSON Schema can express. `if` always matches, so validators check `then`, and
 * generators of types ignore both. With `allOf` beside the fields, some generators make types that accept any field.
 */
const rulesSchema = (rules: readonly Schema[]): Schema => {
  const [first, ...more] = rules;
  if (!first) return {};
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: {}, then: more.length > 0 ? { allOf: rules } : first };
};

/** The schema of a request's body. */
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

/** The schemas of all request bodies by component name. */
const requestsOf = (schemas: Schemas, endpoints: readonly AnyEndpoint[]): Named =>
  Object.fromEntries(
    endpoints.filter(({ body }) => body).map((endpoint) => [requestName(endpoint), bodySchema(schemas, endpoint)]),
  );

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

const referredIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, name = '']) => name);

/** All named schemas. Schemas that a request refers to omit `additionalProperties: true` like the request itself. */
const listedInRequests = (named: Named, requests: Named): Named => {
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

/** The OpenAPI operation of an endpoint. */
const operationOf = (parts: DocumentParts, endpoint: AnyEndpoint): Schema => {
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
