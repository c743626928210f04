import type { Effect, Endpoint, Shape } from '../define.ts';
import type { Schema } from '../rule-schema.ts';
import { answersOf } from './answers.ts';
import { camel, pascal } from './names.ts';
import type { Schemas } from './schemas.ts';
import type { Shared } from './shared-answers.ts';
import { TAGS } from './tags.ts';

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'Changes nothing, and may be repeated.',
  writes: 'Makes or changes a record: repeated, it may make another.',
  spends_quota: 'Uses up a quota of e-mails, attempts or sessions: not to be repeated by itself.',
  moves_money: 'May move money: when its answer is lost, read the state back before anything else.',
};

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

const descriptionOf = ({ summary, effect, rules = [] }: Endpoint): string => {
  const says = rules.map((rule) => `\n- ${rule.says}`).join('');
  return `${summary}. ${EFFECTS[effect]}${says && `\n\nWhat must hold between fields:\n${says}`}`;
};

/** The body's own schema, with the rules between its fields where JSON Schema can say them. */
const bodySchema = (schemas: Schemas, { body = {}, rules = [] }: Endpoint): Schema => {
  const { properties, required } = schemas.fieldsOf(body);
  const held = rules.flatMap(({ schema }) => (schema ? [schema] : []));
  const own = { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: true };
  return held.length > 0 ? { allOf: [own, ...held] } : own;
};

const bodyOf = (endpoint: Endpoint): Schema => {
  const entries = Object.entries(endpoint.example).filter(([name]) => name in (endpoint.body ?? {}));
  const schema = { $ref: `#/components/schemas/${requestName(endpoint)}` };
  return { required: true, content: { 'application/json': { schema, example: Object.fromEntries(entries) } } };
};

const requestName = ({ id }: Endpoint): string => `${pascal(id)}Request`;

/** The bodies of all requests, by the name of their component. */
export const requestsOf = (schemas: Schemas, endpoints: readonly Endpoint[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    endpoints.filter(({ body }) => body).map((endpoint) => [requestName(endpoint), bodySchema(schemas, endpoint)]),
  );

/** One endpoint as an OpenAPI operation. */
export const operationOf = (schemas: Schemas, shared: Shared, endpoint: Endpoint): Schema => {
  const { id, summary, params, query, body, example, key } = endpoint;
  const parameters = [
    ...parametersOf(schemas, 'path', params, example),
    ...parametersOf(schemas, 'query', query, example),
  ];
  const [area = ''] = id.split('.');
  return {
    operationId: camel(id),
    tags: [TAGS[area as keyof typeof TAGS].name],
    summary,
    description: descriptionOf(endpoint),
    ...(key === 'optional' && { security: [{ ApiKey: [] }, {}] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(endpoint) }),
    responses: answersOf(schemas, shared, endpoint),
  };
};
