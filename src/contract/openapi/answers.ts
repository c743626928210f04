import { capitalized } from '../../core/text.ts';
import type { AnyEndpoint, Success } from '../define.ts';
import { UNSHOWN_HTTP } from '../errors.ts';
import type { Schema } from '../rules.ts';
import { type DocumentParts, pascal } from './parts.ts';
import type { Schemas } from './schemas.ts';

/** The OpenAPI key for errors without a shown HTTP code. */
const UNSHOWN = 'default';

/**
 * The schema of the envelope. `namesFields` is the status of the error that lists wrong fields. Document: Response
 * envelope.
 */
export const envelopeSchema = (namesFields: string): Schema => ({
  type: 'object',
  description: 'What every answer has around its data',
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status' },
    success: { type: 'boolean', description: 'Whether the call succeeded' },
    status: { type: 'string', description: 'Machine-readable code' },
    message: { type: 'string', description: 'The same for people' },
    data: { description: 'What was asked for; some errors carry it too' },
    errors: {
      type: 'array',
      description: `Fields that are wrong; present on \`${namesFields}\``,
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, message: { type: 'string' } },
        required: ['field', 'message'],
        additionalProperties: true,
      },
    },
  },
  required: ['statusCode', 'success', 'status', 'message'],
  additionalProperties: true,
});

const envelope = (properties: Schema, required: readonly string[] = []): Schema => ({
  allOf: [
    { $ref: '#/components/schemas/Envelope' },
    { type: 'object', properties, ...(required.length && { required }) },
  ],
});

/** An OpenAPI response. The key of each example is its status. */
const response = (description: string, schemas: readonly Schema[], examples: readonly Schema[]): Schema => ({
  description,
  content: {
    'application/json': {
      schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
      examples: Object.assign({}, ...examples),
    },
  },
});

const successOf = (schemas: Schemas, status: string, { http, data, isAssumed }: Success): Schema =>
  envelope(
    {
      statusCode: { const: http },
      success: { const: true },
      status: isAssumed
        ? { type: 'string', description: 'Not shown by the service', examples: [status] }
        : { const: status },
      ...(data && { data: schemas.of(data) }),
    },
    data ? ['data'] : [],
  );

const groupBy = <T>(entries: readonly T[], keyOf: (entry: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, readonly T[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return groups;
};

const successes = (schemas: Schemas, endpoint: AnyEndpoint): Schema => {
  const groups = groupBy(Object.entries(endpoint.success), ([, { http }]) => String(http));
  return Object.fromEntries(
    [...groups].map(([http, group]) => [
      http,
      response(
        group.map(([status]) => `\`${status}\``).join(' or '),
        group.map(([status, success]) => successOf(schemas, status, success)),
        group.map(([status, success]) => exampleOfSuccess(status, success)),
      ),
    ]),
  );
};

const meaningOf = ({ meanings }: DocumentParts, status: string, isAssumed: boolean): string =>
  `- \`${status}\`: ${meanings[status]?.meaning}${isAssumed ? ' Not shown by the service; assumed.' : ''}`;

/** The response for all errors of one HTTP code, with a note about a case without a shown status. */
const errorOf = (parts: DocumentParts, endpoint: AnyEndpoint, http: string, statuses: readonly string[]): Schema => {
  const unshown = endpoint.unshownErrors?.[Number(http)];
  const [first, ...more] = statuses.map((status) => endpoint.errorData?.[status]);
  const lines = statuses.map((status) => meaningOf(parts, status, endpoint.assumed?.includes(status) === true));
  if (http === UNSHOWN)
    lines.push(`- The HTTP code of these is not shown by the service. The sandbox of bursar answers ${UNSHOWN_HTTP}.`);
  if (unshown) lines.push(`- Another status: ${unshown}. It is not shown by the service.`);
  const properties = {
    ...(http !== UNSHOWN && { statusCode: { const: Number(http) } }),
    success: { const: false },
    status: unshown ? { type: 'string', examples: statuses } : { enum: statuses },
    ...(first && more.length === 0 && { data: parts.schemas.of(first) }),
  };
  const schema = envelope(properties, statuses.every((status) => status === parts.namesFields) ? ['errors'] : []);
  const examples = statuses.map((status) => exampleOfError(parts, endpoint, status));
  return response(lines.join('\n'), [schema], examples);
};

/**
 * The possible component names of a response: with one or two statuses their names, so that endpoints share it, then
 * the name of its endpoint. Generators make names such as `KycCreate400` themselves, so no component may have such a
 * name.
 */
const namesOf = ({ id }: AnyEndpoint, http: string, statuses: readonly string[]): readonly string[] => [
  ...(statuses.length <= 2 ? [pascal(statuses.join(' or '))] : []),
  `${pascal(id)}Errors${pascal(http)}`,
];

const errors = (parts: DocumentParts, endpoint: AnyEndpoint): Schema => {
  const entries = Object.entries(endpoint.errors) as (readonly [string, number | null])[];
  const groups = groupBy(entries, ([, http]) => (http === null ? UNSHOWN : String(http)));
  return Object.fromEntries(
    [...groups].map(([http, group]) => {
      const statuses = group.map(([status]) => status);
      return [http, parts.shared.refer(namesOf(endpoint, http, statuses), errorOf(parts, endpoint, http, statuses))];
    }),
  );
};

/** The OpenAPI responses of an endpoint by HTTP code. */
export const answersOf = (parts: DocumentParts, endpoint: AnyEndpoint): Schema => ({
  ...successes(parts.schemas, endpoint),
  ...errors(parts, endpoint),
});

/** A status in words: `payment_registered` becomes `Payment registered.`. */
const sentence = (status: string): string => `${capitalized(status.replaceAll('_', ' '))}.`;

/** The first field of an endpoint, for the example of a failed validation. */
const neededField = ({ params, query, body }: AnyEndpoint): string =>
  Object.keys({ ...body, ...query, ...params })[0] ?? 'body';

const named = (status: string, value: Schema): Schema => ({ [status]: { summary: sentence(status), value } });

/** The example of a success, with its status as the key. */
export const exampleOfSuccess = (status: string, { http, example }: Success): Schema =>
  named(status, {
    statusCode: http,
    success: true,
    status,
    message: sentence(status),
    ...(example !== undefined && { data: example }),
  });

/** The example of an error, with its status as the key. */
export const exampleOfError = (
  { meanings, namesFields }: DocumentParts,
  endpoint: AnyEndpoint,
  status: string,
): Schema => {
  const data = endpoint.errorExample?.[status];
  return named(status, {
    statusCode: endpoint.errors[status] ?? UNSHOWN_HTTP,
    success: false,
    status,
    message: meanings[status]?.meaning,
    ...(data !== undefined && { data }),
    ...(status === namesFields && { errors: [{ field: neededField(endpoint), message: 'required' }] }),
  });
};
