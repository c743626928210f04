import type { Effect, Endpoint, ErrorHttp } from '../contract/define.ts';
import { type ErrorEntry, errorEntry } from '../contract/errors.ts';
import { Failure, type FailureCode } from '../core/failure.ts';
import type { HttpFault } from '../io/io.ts';
import type { Envelope } from './envelope.ts';

const byHttp = (status: string, http: number, effect: Effect): FailureCode => {
  if (effect === 'moves_money' && leavesDoubt(http)) return 'outcome_unknown';
  if (http >= 500) return 'unavailable';
  if (status.endsWith('_not_found') || http === 404) return 'not_found';
  if (http === 401) return 'unauthorized';
  return http === 429 ? 'limit_reached' : 'rejected';
};

/** Answers that a gateway gives without knowing what the service did. */
const leavesDoubt = (http: number): boolean => http >= 500 || http === 408 || http === 425;

/**
 * What the catalogue says of an error. Of a call that moves money it counts only where the document lists the
 * status for this endpoint with this HTTP code: `validation_error` with HTTP 500 proves nothing.
 */
const knownError = ({ effect, errors }: Endpoint, { status, statusCode }: Envelope): ErrorEntry | undefined => {
  const entry = errorEntry(status);
  const listed: Readonly<Record<string, ErrorHttp | undefined>> = errors;
  return effect !== 'moves_money' || !leavesDoubt(statusCode) || listed[status] === statusCode ? entry : undefined;
};

const UNKNOWN_OUTCOME = 'Money may have moved. Read the payment back before anything else.';
const MAYBE_WRITTEN = 'The service may have done it all the same. Look before you repeat the call.';

const lostHint = (effect: Effect): string | undefined => {
  if (effect === 'moves_money') return UNKNOWN_OUTCOME;
  return effect === 'reads' ? undefined : MAYBE_WRITTEN;
};

/** An error of the service, classified on its `status` first and on HTTP second. */
export const serviceFailure = (endpoint: Endpoint, envelope: Envelope): Failure => {
  const entry = knownError(endpoint, envelope);
  const code = entry?.code ?? byHttp(envelope.status, envelope.statusCode, endpoint.effect);
  return new Failure(code, envelope.message || `the service answered ${envelope.status}`, {
    status: envelope.status,
    http: envelope.statusCode,
    errors: envelope.errors,
    data: envelope.data,
    hint: entry?.meaning ?? (code === 'outcome_unknown' ? UNKNOWN_OUTCOME : undefined),
    next: entry?.next,
  });
};

const FAULT_WORDS: Readonly<Record<HttpFault['reason'], string>> = {
  dns: 'the name of its host could not be resolved',
  refused: 'nothing listens at this address',
  connect_timeout: 'no connection could be made in time',
  tls: 'the secure connection could not be made',
  deadline: 'it did not answer in time',
  connection_lost: 'the connection was lost before an answer came',
  too_large: 'the answer is too large',
  interrupted: 'the call was interrupted',
};

/** A call without an answer. Only what is known not to have been sent leaves nothing in doubt. */
export const faultFailure = (endpoint: Endpoint, origin: string, fault: HttpFault): Failure => {
  const lost = fault.sent && endpoint.effect === 'moves_money';
  if (fault.reason === 'interrupted' && !lost) return new Failure('interrupted', 'interrupted');
  return new Failure(
    lost ? 'outcome_unknown' : 'unavailable',
    `${origin}: ${FAULT_WORDS[fault.reason]} (${fault.message})`,
    {
      hint: fault.sent ? lostHint(endpoint.effect) : 'The request was not sent.',
    },
  );
};

/** An answer that is not the service's. For a call that moves money its outcome is unknown. */
export const strangeAnswer = (endpoint: Endpoint, origin: string, http: number, problem: string): Failure =>
  new Failure(
    endpoint.effect === 'moves_money' ? 'outcome_unknown' : 'unexpected_answer',
    `${origin} answered with ${problem}`,
    { http, hint: lostHint(endpoint.effect) ?? 'Is the base URL the address of the service?' },
  );
