import type { AnyEndpoint, Effect, Shape } from '../define.ts';
import type { Schema } from '../rules.ts';
import { answersOf, envelopeSchema } from './answers.ts';
import { camel, type DocumentParts, openShared, pascal, type Tag } from './parts.ts';
import { openSchemas, type Schemas } from './schemas.ts';

/** What a document states about one deployment. */
export type DocumentOptions = {
  /** Version of this description: the service shows none of its own. */
  readonly version: string;
  /** Address of a deployment; without one it is left open. */
  readonly baseUrl?: string | undefined;
};

/** An API as a document describes it: its endpoints, and the facts that they share. */
export type Api = {
  readonly title: string;
  readonly description: string;
  readonly endpoints: readonly AnyEndpoint[];
  /** The tag of each area, in the order of the reference. */
  readonly tags: Readonly<Record<string, Tag>>;
  /** Name of the security scheme, the header of its key, and what the key is. */
  readonly key: { readonly name: string; readonly header: string; readonly description: string };
  readonly server: { readonly description: string; readonly openDescription: string; readonly example: string };
  /** The meaning of each error, and the error whose answer lists the wrong fields. */
  readonly meanings: DocumentParts['meanings'];
  readonly namesFields: string;
  /** What the service sends by itself. */
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

/** An API as an OpenAPI 3.1 document, from its endpoints alone. */
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

/** Schemas by the name of their component. */
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
const requestsOf = (schemas: Schemas, endpoints: readonly AnyEndpoint[]): Named =>
  Object.fromEntries(
    endpoints.filter(({ body }) => body).map((endpoint) => [requestName(endpoint), bodySchema(schemas, endpoint)]),
  );

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

const referredIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, name = '']) => name);

/** Requests and all other named schemas; a schema that a request refers to lists its fields as the request does. */
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

/** One endpoint as an OpenAPI operation. */
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
