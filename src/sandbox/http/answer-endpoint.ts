import type { Endpoint, Problem } from '../../contract/define.ts';
import { type ErrorStatus, UNSHOWN_HTTP } from '../../contract/errors.ts';
import type { FieldError } from '../../core/failure.ts';
import { NO_TENANT, OWN_ERRORS } from '../assumptions.ts';
import { documentedError } from '../faults/run-with-faults.ts';
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

/** The refusal of a key without a tenant; `undefined` at endpoints without records of tenants. */
const refusalOf = (endpoint: Endpoint): Answer | undefined => {
  if ('customer_not_logged' in endpoint.errors) {
    return refusal(401, 'customer_not_logged', 'The API key belongs to no tenant.');
  }
  // Payments belong to a tenant too. The document has no special answer here.
  return endpoint.id.startsWith('pay.') ? unauthorized(endpoint) : undefined;
};

const MAX_LISTED = 10;

/** The wrong fields as a sentence. The sentence has a limit, because a body can have thousands of fields. */
const sentenceOf = (errors: readonly FieldError[]): string => {
  const listed = errors.slice(0, MAX_LISTED).map(({ field, message }) => `${field}: ${message}`);
  const more = errors.length - listed.length;
  return `${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
};

/** The only status with `errors`. With any other status the message names the fields. Document: Response envelope. */
const STATUS_WITH_ERRORS = 'validation_error';

/** The message of an error with its wrong fields, and `errors` where the status has them. */
const describeErrors = (
  status: string,
  message: string,
  errors: readonly FieldError[] = [],
): Pick<Answer, 'message' | 'errors'> => {
  if (errors.length === 0) return { message };
  return status === STATUS_WITH_ERRORS ? { message, errors } : { message: `${message} ${sentenceOf(errors)}` };
};

/** Documented for a missing value. The document has no other 400 for a malformed value, so the message states the case. */
const FOR_MISSING_VALUES = ['missing_params', 'invalid_wallet'];

const describeProblems = (status: string, problems: readonly Problem[]): Pick<Answer, 'message' | 'errors'> => {
  const malformed = problems.find(({ isMissing }) => !isMissing);
  if (malformed && FOR_MISSING_VALUES.includes(status))
    return { message: `${malformed.field} is malformed: ${malformed.message}.` };
  const errors = problems.map(({ field, message }) => ({ field, message }));
  const [first, ...more] = errors;
  if (first === undefined || more.length > 0)
    return describeErrors(status, `${errors.length} fields are wrong.`, errors);
  return { message: `${first.field}: ${first.message}`, ...(status === STATUS_WITH_ERRORS && { errors }) };
};

/** The answer to wrong fields. A field with a status of its own has priority over the general status of the endpoint. */
const invalid = (endpoint: Endpoint, problems: readonly Problem[]): Answer => {
  const own = problems.find(({ status }) => status !== undefined && status !== endpoint.invalid);
  const status = own?.status ?? endpoint.invalid ?? 'invalid_parameters';
  return { http: httpOfError(endpoint, status), status, ...describeProblems(status, problems) };
};

/** The documented errors for a failure of the service itself. */
const OWN_FAILURES = [
  'server_failed',
  'server_error',
  'blockchain_transaction_failed',
  'get_rebalance_opportunities_failed',
] as const;

/** The answer after a handler threw. Throws the error again at an endpoint without a documented error for it. */
const answerFailure = async ({ io }: Services, endpoint: Endpoint, error: unknown): Promise<Answer> => {
  const status = OWN_FAILURES.find((each) => each in endpoint.errors);
  if (!status) throw error;
  await log(io, `${endpoint.id} failed: ${describeError(error)}`);
  return documentedError(endpoint, status);
};

/** An endpoint, its handler, and the fault that the handler must make. */
type ServedEndpoint = Pick<Call, 'fault'> & { readonly endpoint: Endpoint; readonly handler: Handler };

type Params = Readonly<Record<string, string>>;

/** The tenant and the input of a call; `undefined` for a bad key or wrong fields. */
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
  return { http: httpOfError(endpoint, status), status, data, ...describeErrors(status, message, outcome.errors) };
};

/**
 * Answers one call: checks the key, then the fields, then runs the handler. `params` are the decoded parts of the path.
 */
export const answerEndpoint = async (
  services: Services,
  { endpoint, handler, fault }: ServedEndpoint,
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
    answerFailure(services, endpoint, error),
  );
};
