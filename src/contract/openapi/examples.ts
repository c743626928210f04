import type { AnyEndpoint, Success } from '../define.ts';
import type { Schema } from '../rule-schema.ts';
import type { DocumentParts } from './parts.ts';

/** Stands in an example for an HTTP code that the service does not show; the sandbox answers with it. */
const UNSHOWN_HTTP = 403;

/** `payment_registered` as `Payment registered.`: a status in words. */
const sentence = (status: string): string => {
  const words = status.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

/** The first field that a call needs. It is the one that the example of a failed validation names. */
const neededField = ({ params, query, body }: AnyEndpoint): string =>
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

/** An answer of an error, under its status. */
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
