import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { type Endpoint, fieldsOf, type Shape } from '../../contract/define.ts';
import type { ErrorStatus } from '../../contract/errors.ts';
import { type Problem, validate } from '../../contract/validate.ts';
import type { FieldError } from '../../core/failure.ts';
import { isExactNumber } from '../../core/json.ts';
import { ALSO_WITH_ERRORS, NO_TENANT, OWN_ERRORS, UNSHOWN_HTTP } from '../assumptions.ts';
import { documentedError } from '../faults/answer.ts';
import type { Call, Handler } from '../handlers/handler.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import type { Answer } from './envelope.ts';
import { readJson } from './read-json.ts';

const httpOfError = (endpoint: Endpoint, status: string): number => {
  const own: Readonly<Record<string, number>> | undefined = OWN_ERRORS[endpoint.id as keyof typeof OWN_ERRORS];
  const http = own?.[status] ?? endpoint.errors[status as ErrorStatus];
  return http === null ? UNSHOWN_HTTP : (http ?? 400);
};

const unauthorized = (endpoint: Endpoint): Answer => ({
  http: endpoint.errors.unauthorized ?? 401,
  status: 'unauthorized',
  message: 'The API key is invalid or missing.',
});

/** What a key without a tenant gets where only a tenant can own what is asked for. */
const refusalOf = (endpoint: Endpoint): Answer | undefined => {
  if ('customer_not_logged' in endpoint.errors) {
    return { http: 401, status: 'customer_not_logged', message: 'The API key belongs to no tenant.' };
  }
  // Payments belong to a tenant too, and the document gives them no other answer.
  return endpoint.id.startsWith('pay.') ? unauthorized(endpoint) : undefined;
};

const notInSandboxYet = (endpoint: Endpoint): Answer => ({
  http: 501,
  status: 'not_in_sandbox_yet',
  message: `This version of the sandbox does not have ${endpoint.method} ${endpoint.path} yet.`,
});

const withErrors = (status: string, errors: readonly FieldError[] | undefined) =>
  errors && (status === 'validation_error' || ALSO_WITH_ERRORS.includes(status)) ? { errors } : {};

/** Their words fit a missing value alone, and the document has no other 400 for one that is there and wrong. */
const WORDED_FOR_ONE_CASE = ['missing_params', 'invalid_wallet'];

const messageFor = (status: string, problems: readonly Problem[]): string => {
  const [first] = problems;
  const malformed = problems.find(({ isMissing }) => !isMissing);
  if (malformed && WORDED_FOR_ONE_CASE.includes(status))
    return `${malformed.field} is malformed: ${malformed.message}.`;
  return problems.length === 1 && first ? `${first.field}: ${first.message}` : `${problems.length} fields are wrong.`;
};

/** A status that the endpoint has for one field alone counts before the one of any failed schema. */
const invalid = (endpoint: Endpoint, problems: readonly Problem[]): Answer => {
  const own = problems.find(({ status }) => status !== undefined && status !== endpoint.invalid);
  const status = own?.status ?? endpoint.invalid ?? 'invalid_parameters';
  return {
    http: httpOfError(endpoint, status),
    status,
    message: messageFor(status, problems),
    ...withErrors(
      status,
      problems.map(({ field, message }) => ({ field, message })),
    ),
  };
};

/** What the document has an endpoint answer when the service itself fails. */
const OWN_FAILURES = [
  'server_failed',
  'server_error',
  'blockchain_transaction_failed',
  'get_rebalance_opportunities_failed',
] as const;

/** A handler that threw. Rethrows where the document knows no answer for it. */
const failed = async ({ io }: Services, endpoint: Endpoint, error: unknown): Promise<Answer> => {
  const status = OWN_FAILURES.find((each) => each in endpoint.errors);
  if (!status) throw error;
  await log(io, `${endpoint.id} failed: ${describeError(error)}`);
  return documentedError(endpoint, status);
};

/** An endpoint, what answers it where this version of the sandbox has that, and the fault that the handler plays. */
type Served = {
  readonly endpoint: Endpoint;
  readonly handler: Handler | undefined;
  readonly fault?: string | undefined;
};

type Params = Readonly<Record<string, string>>;

/** A call with a good key and good fields: whose it is and what it asks for. `undefined` for any other. */
export const readCall = async (
  services: Services,
  endpoint: Endpoint,
  incoming: IncomingMessage,
  params: Params,
): Promise<{ readonly tenant: string; readonly input: Readonly<Record<string, unknown>> } | undefined> => {
  const tenant = await services.tenantOf(String(incoming.headers['x-api-key'] ?? ''));
  const read = await readInput(endpoint, incoming, params);
  if (tenant === undefined || !read.ok) return undefined;
  const valid = validate(endpoint, read.input);
  return valid.ok ? { tenant, input: valid.input } : undefined;
};

const run = async (endpoint: Endpoint, handler: Handler, call: Call, input: unknown): Promise<Answer> => {
  const { data, errors, ...outcome } = {
    data: undefined,
    errors: undefined,
    ...(await handler.run(call, input as never)),
  };
  const status = String(outcome.status);
  const http = outcome.ok ? (endpoint.success[status]?.http ?? 200) : httpOfError(endpoint, status);
  return { http, status, message: outcome.message, ...(data !== undefined && { data }), ...withErrors(status, errors) };
};

/** One call of an endpoint: key, fields, handler. `params` are the decoded parts of the path. */
export const answerEndpoint = async (
  services: Services,
  { endpoint, handler, fault }: Served,
  incoming: IncomingMessage,
  params: Params,
): Promise<Answer> => {
  const tenant = await services.tenantOf(String(incoming.headers['x-api-key'] ?? ''));
  if (tenant === undefined) return unauthorized(endpoint);
  const refusal = tenant === NO_TENANT ? refusalOf(endpoint) : undefined;
  if (refusal) return refusal;
  if (!handler) return notInSandboxYet(endpoint);
  const read = await readInput(endpoint, incoming, params);
  if (!read.ok) return invalid(endpoint, [{ field: read.field, message: read.message, status: endpoint.invalid }]);
  const valid = validate(endpoint, read.input);
  if (!valid.ok) return invalid(endpoint, valid.problems);
  return run(endpoint, handler, { services, tenant, fault }, valid.input).catch((error: unknown) =>
    failed(services, endpoint, error),
  );
};

type Fields = Readonly<Record<string, unknown>>;

/** A request as an endpoint's flat input, or the field that cannot be used and why. */
type Read =
  | { readonly ok: true; readonly input: Fields }
  | { readonly ok: false; readonly field: string; readonly message: string };

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** A query is text; where the field takes no text, what it says as a number or a boolean counts. */
const fromQuery = (schema: z.ZodType | undefined, text: string): unknown => {
  const isBoolean = text === 'true' || text === 'false';
  if (!isBoolean && !NUMBER.test(text)) return text;
  if (!schema || schema.safeParse(text).success) return text;
  return isBoolean ? text === 'true' : Number(text);
};

const readQuery = (shape: Shape, url: string): Fields => {
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      // A name such as constructor or __proto__ is not one of the endpoint's fields.
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const values = query.getAll(name).map((text) => fromQuery(schema, text));
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
};

/** A field counts only in the part of the request where the endpoint has it; unknown fields pass. */
const ownFields = (endpoint: Endpoint, shape: Shape | undefined, fields: Fields): Fields => {
  const all = fieldsOf(endpoint);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in all) || name in (shape ?? {})));
};

/** The first text that cannot be stored as it is: one with a NUL or with half of a surrogate pair. */
const unusableText = (value: unknown, path: string): string | undefined => {
  if (typeof value === 'string') return /\0|\p{Surrogate}/u.test(value) ? path : undefined;
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = unusableText(key, path || 'body') ?? unusableText(part, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Reads path, query and body of a request as one flat input. `params` are the decoded parts of the path. */
const readInput = async (endpoint: Endpoint, incoming: IncomingMessage, params: Fields): Promise<Read> => {
  const body = endpoint.body ? await readJson(incoming) : ({ ok: true, fields: {} } as const);
  if (!body.ok) return { ok: false, field: 'body', message: body.message };
  // Unknown fields may be stored: where an endpoint has no query at all, none is read.
  const query = endpoint.query ? readQuery(endpoint.query, incoming.url ?? '') : {};
  const input = {
    ...ownFields(endpoint, endpoint.query, query),
    ...ownFields(endpoint, endpoint.body, body.fields),
    ...params,
  };
  const field = unusableText(input, '');
  if (field === undefined) return { ok: true, input };
  return { ok: false, field, message: 'must not hold a NUL character or an unpaired surrogate' };
};
