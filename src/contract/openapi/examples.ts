import type { Endpoint, Success } from '../define.ts';
import { ERRORS, type ErrorStatus } from '../errors.ts';
import type { Schema } from '../rule-schema.ts';

/** Stands in an example for an HTTP code that the service does not show; the sandbox answers with it. */
const UNSHOWN_HTTP = 403;

/** `payment_registered` as `Payment registered.`: a status in words. */
const sentence = (status: string): string => {
  const words = status.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

/** The first field that a call needs. It is the one that the example of a failed validation names. */
const neededField = ({ params, query, body }: Endpoint): string =>
  Object.keys({ ...body, ...query, ...params })[0] ?? 'body';

const named = (status: string, value: Schema): Schema => ({ [status]: { summary: sentence(status), value } });

/** An answer of success, under its status. */
export const exampleOfSuccess = (status: string, { http, example }: Success): Schema =>
  named(status, {
    statusCode: http,
    success: true,
    status,
    message: sentence(status),
    ...(example !== undefined && { data: example }),
  });

/** An answer of an error, under its status. Document: `errors` is present on `validation_error`. */
export const exampleOfError = (endpoint: Endpoint, status: ErrorStatus): Schema => {
  const data = endpoint.errorExample?.[status];
  return named(status, {
    statusCode: endpoint.errors[status] ?? UNSHOWN_HTTP,
    success: false,
    status,
    message: ERRORS[status].meaning,
    ...(data !== undefined && { data }),
    ...(status === 'validation_error' && { errors: [{ field: neededField(endpoint), message: 'required' }] }),
  });
};
