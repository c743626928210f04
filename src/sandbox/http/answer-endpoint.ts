import type { Endpoint, Problem } from '../../contract/define.ts';
import { type ErrorStatus, UNSHOWN_HTTP } from '../../contract/errors.ts';
import type { FieldError } from '../../core/failure.ts';
import { NO_TENANT, OWN_ERRORS } from '../assumptions.ts';
import { documentedError } from '../faults/meet.ts';
import type { Call, Handler } from '../handlers/handler.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { type Answer, type Bindings, refusal } from './envelope.ts';
import { readInput } from './read-input.ts';

const httpOfError = (endpoint: Endpoint, status: string): number => {
  const own: Readonly<Record<string, number>> | undefined = OWN_ERRORS[endpoint.id as keyof typeof OWN_ERRORS];
  const http = own?.[status] ?? endpoint.errors[status as ErrorStatus];
  return http === null ? UNSHOWN_HTTP : (http ?? 400);
};

const unauthorized = (endpoint: Endpoint): Answer =>
  refusal(endpoint.errors.unauthorized ?? 401, 'unauthorized', 'The API key is invalid or missing.');

/** The answer to a key without a tenant, where only a tenant owns records. */
const refusalOf = (endpoint: Endpoint): Answer | undefined => {
  if ('customer_not_logged' in endpoint.errors) {
    return refusal(401, 'customer_not_logged', 'The API key belongs to no tenant.');
  }
  // Payments belong to a tenant too, and the document gives them no other answer.
  return endpoint.id.startsWith('pay.') ? unauthorized(endpoint) : undefined;
};

const MAX_NAMED = 10;

/** The wrong fields as a sentence. A body may hold very many. */
const sentenceOf = (errors: readonly FieldError[]): string => {
  const named = errors.slice(0, MAX_NAMED).map(({ field, message }) => `${field}: ${message}`);
  const more = errors.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
};

/** The only status with `errors`. Document, Response envelope. Any other status names the fields in its message. */
const NAMES_FIELDS = 'validation_error';

const explained = (
  status: string,
  message: string,
  errors: readonly FieldError[] = [],
): Pick<Answer, 'message' | 'errors'> => {
  if (errors.length === 0) return { message };
  return status === NAMES_FIELDS ? { message, errors } : { message: `${message} ${sentenceOf(errors)}` };
};

/** Their words fit a missing value alone, and the document has no other 400 for one that is there and wrong. */
const WORDED_FOR_ONE_CASE = ['missing_params', 'invalid_wallet'];

const explainedProblems = (status: string, problems: readonly Problem[]): Pick<Answer, 'message' | 'errors'> => {
  const malformed = problems.find(({ isMissing }) => !isMissing);
  if (malformed && WORDED_FOR_ONE_CASE.includes(status))
    return { message: `${malformed.field} is malformed: ${malformed.message}.` };
  const errors = problems.map(({ field, message }) => ({ field, message }));
  const [first, ...more] = errors;
  if (first === undefined || more.length > 0) return explained(status, `${errors.length} fields are wrong.`, errors);
  return { message: `${first.field}: ${first.message}`, ...(status === NAMES_FIELDS && { errors }) };
};

/** A status that the endpoint has for one field alone counts before the one of any failed schema. */
const invalid = (endpoint: Endpoint, problems: readonly Problem[]): Answer => {
  const own = problems.find(({ status }) => status !== undefined && status !== endpoint.invalid);
  const status = own?.status ?? endpoint.invalid ?? 'invalid_parameters';
  return { http: httpOfError(endpoint, status), status, ...explainedProblems(status, problems) };
};

/** The documented answers to a failure of the service itself. */
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

/** An endpoint, its handler, and the fault that the handler plays. */
type Served = Pick<Call, 'fault'> & { readonly endpoint: Endpoint; readonly handler: Handler };

type Params = Readonly<Record<string, string>>;

/** A call with a good key and good fields: whose it is and what it asks for. `undefined` for any other. */
export const readCall = async (
  services: Services,
  endpoint: Endpoint,
  env: Bindings,
  params: Params,
): Promise<{ readonly tenant: string; readonly input: Readonly<Record<string, unknown>> } | undefined> => {
  const tenant = await services.tenantOf(String(env.incoming.headers['x-api-key'] ?? ''));
  const read = await readInput(endpoint, env, params);
  return tenant !== undefined && read.ok ? { tenant, input: read.input } : undefined;
};

const run = async (endpoint: Endpoint, handler: Handler, call: Call, input: unknown): Promise<Answer> => {
  const outcome = await handler.run(call, input as never);
  const { message, data } = outcome;
  const status = String(outcome.status);
  if (outcome.ok) return { http: endpoint.success[status]?.http ?? 200, status, message, data };
  return { http: httpOfError(endpoint, status), status, data, ...explained(status, message, outcome.errors) };
};

/** One call of an endpoint: key, fields, handler. `params` are the decoded parts of the path. */
export const answerEndpoint = async (
  services: Services,
  { endpoint, handler, fault }: Served,
  env: Bindings,
  params: Params,
): Promise<Answer> => {
  const tenant = await services.tenantOf(String(env.incoming.headers['x-api-key'] ?? ''));
  if (tenant === undefined) return unauthorized(endpoint);
  const refusal = tenant === NO_TENANT ? refusalOf(endpoint) : undefined;
  if (refusal) return refusal;
  const read = await readInput(endpoint, env, params);
  if (!read.ok) return invalid(endpoint, read.problems);
  return run(endpoint, handler, { services, tenant, fault }, read.input).catch((error: unknown) =>
    failed(services, endpoint, error),
  );
};
