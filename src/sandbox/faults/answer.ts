import type { Endpoint } from '../../contract/define.ts';
import { ERRORS, type ErrorStatus } from '../../contract/errors.ts';
import { UNSHOWN_HTTP } from '../assumptions.ts';
import type { Answer } from '../http/envelope.ts';
import { type Fault, OWN_KINDS, TRICKS } from './faults.ts';

/** The data of some errors. Document: GET /yield/rebalance-opportunities; validation_error has `errors`. */
const EXTRAS: Readonly<Record<string, Partial<Answer>>> = {
  get_rebalance_opportunities_failed: { data: { opportunities: [], sources: null } },
  validation_error: { errors: [{ field: 'body', message: 'a fault was injected' }] },
};

const isHttp = (kind: string): boolean => /^[2345]\d\d$/.test(kind);

/** The allowed kinds of fault at an endpoint, or `undefined` when this is one. */
export const problemOfKind = ({ errors, id }: Endpoint, kind: string): string | undefined => {
  const named = [...TRICKS, ...(OWN_KINDS[id] ?? [])];
  if (Object.hasOwn(errors, kind) || isHttp(kind) || named.includes(kind)) return undefined;
  const own = Object.keys(errors).join(', ');
  return `must be an HTTP status from 200 to 599, one of ${named.join(', ')}, or an error of ${id}: ${own}`;
};

/** An error of an endpoint as the document has it. */
export const documentedError = ({ errors }: Endpoint, status: ErrorStatus): Answer => ({
  http: errors[status] ?? UNSHOWN_HTTP,
  status,
  message: ERRORS[status].meaning,
  ...EXTRAS[status],
});

/** The answer of a fault that answers: an error of the endpoint as the document has it, or a bare HTTP status. */
export const faultAnswer = (endpoint: Endpoint, { kind, retry_after }: Fault): Answer => {
  const headers = retry_after === undefined ? {} : { headers: { 'retry-after': String(retry_after) } };
  return isHttp(kind)
    ? { http: Number(kind), status: 'injected_fault', message: 'A fault was injected.', ...headers }
    : { ...documentedError(endpoint, kind as ErrorStatus), ...headers };
};
