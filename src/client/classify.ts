import type { Endpoint, ErrorHttp } from '../contract/define.ts';
import type { ErrorEntry } from '../contract/error-steps.ts';
import { type ErrorStatus, errorEntry } from '../contract/errors.ts';
import type { Outcome } from '../contract/outcomes.ts';
import { Failure, type FailureCode, interrupted } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { inSentence } from '../core/text.ts';
import type { HttpFault } from '../io/http/http.ts';
import type { Envelope } from './envelope.ts';
import { faultAdvice, faultText, takenOver } from './fault-text.ts';

/** The facts that classify the end of a call: the endpoint, and the meaning of a lost answer to this input. */
export type ClassifiedCall = {
  readonly endpoint: Pick<Endpoint, 'effect' | 'errors' | 'key'>;
  readonly outcome: Outcome;
  readonly origin: string;
  /** The fields of the call. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** Whether a gateway can give this answer without the service's result. */
const leavesDoubt = (http: number): boolean => http >= 500 || http === 408 || http === 425;

const isTransient = (http: number): boolean => leavesDoubt(http) || http === 429;

const byHttp = (status: string, http: number, { movesMoney }: Outcome): FailureCode => {
  if (movesMoney && leavesDoubt(http)) return 'outcome_unknown';
  if (http >= 500) return 'unavailable';
  if (status.endsWith('_not_found') || http === 404) return 'not_found';
  if (http === 401) return 'unauthorized';
  return http === 429 ? 'limit_reached' : 'rejected';
};

/**
 * The catalogue's entry for an error. For a call that moves money, the document must list the status for this endpoint
 * with this HTTP code. Otherwise it proves nothing, such as `validation_error` with HTTP 500.
 */
const knownError = (
  { endpoint, outcome }: ClassifiedCall,
  { status, statusCode }: Envelope,
): ErrorEntry | undefined => {
  const listed: Readonly<Record<string, ErrorHttp | undefined>> = endpoint.errors;
  const counts = !outcome.movesMoney || !leavesDoubt(statusCode) || listed[status] === statusCode;
  return counts ? errorEntry(status) : undefined;
};

/** The hint for a call that may have taken effect; `undefined` for a call that only reads. */
const lostHint = ({ isAutomatic, description }: Outcome): string | undefined => (isAutomatic ? undefined : description);

const mayHaveHappened = ({ outcome }: ClassifiedCall): true | undefined => (outcome.isAutomatic ? undefined : true);

/** Errors with a complete message: the catalogue's meaning would only repeat it. */
const SELF_EXPLANATORY: ReadonlySet<string> = new Set<ErrorStatus>([
  'unauthorized',
  'payment_not_found',
  'payment_failed',
  'kyc_verification_required',
  'kyc_not_approved',
  'no_fields_to_update',
  'order_not_found',
  'missing_params',
  'email_already_verified',
  'otp_invalid',
  'otp_expired',
  'otp_max_attempts',
  'invalid_wallet',
  'wallet_already_linked',
  'user_not_found',
  'stale_transaction_nonce',
  'kyc_not_found',
  'params_mismatch',
  'pair_not_found',
  'rebalance_transaction_too_large',
  'get_rebalance_opportunities_failed',
]);

/** Errors whose advice states that nothing happened. That is no proof about a signed transaction, which the service now has. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set<ErrorStatus>(['validation_error', 'invalid_parameters']);

/** The hint of a known error: its meaning, unless the answer names the wrong fields or says it, and the advice. */
const hintOf = ({ endpoint }: ClassifiedCall, entry: ErrorEntry, { status, message, errors }: Envelope): string => {
  const isEnough = SELF_EXPLANATORY.has(status) || entry.meaning === message || errors?.length;
  const advice = endpoint.effect === 'moves_money' && WITHOUT_EFFECT.has(status) ? '' : entry.advice;
  return `${isEnough ? '' : entry.meaning} ${advice}`.trim();
};

/** The failure of an error envelope, classified by its `status` first and by HTTP second. */
export const serviceFailure = (called: ClassifiedCall, envelope: Envelope): Failure => {
  const { status, statusCode: http, message, errors, data } = envelope;
  const entry = knownError(called, envelope);
  const isUnclear = leavesDoubt(http);
  const sentence = message ? inSentence(message) : entry?.meaning || `the service answered ${inSentence(status)}`;
  return new Failure(entry?.code ?? byHttp(status, http, called.outcome), sentence, {
    status,
    http,
    errors,
    data,
    hint: entry ? hintOf(called, entry, envelope) || undefined : isUnclear ? lostHint(called.outcome) : undefined,
    next: entry?.next(called.input),
    isUnclear: isUnclear ? mayHaveHappened(called) : undefined,
    isTransient: isTransient(http) ? true : undefined,
  });
};

const TRANSIENT_FAULTS: readonly HttpFault['reason'][] = [
  'refused',
  'dns',
  'connect_timeout',
  'deadline',
  'connection_lost',
];

/** The failure of a call without an answer. Nothing is in doubt only if the request was certainly not sent. */
export const faultFailure = (called: ClassifiedCall, fault: HttpFault): Failure => {
  const { outcome, origin } = called;
  const lost = fault.sent && outcome.movesMoney;
  const isUnclear = fault.sent ? mayHaveHappened(called) : undefined;
  const isUnsent = fault.sent ? undefined : true;
  if (fault.reason === 'taken_over') return takenOver(fault, { isUnsent });
  if (fault.reason === 'interrupted' && !lost) {
    return interrupted({ hint: isUnclear && outcome.description, isUnclear, isUnsent });
  }
  const isStopped = fault.reason === 'interrupted';
  const effect = fault.sent ? lostHint(outcome) : 'The request was not sent.';
  const cause = isStopped ? 'interrupted before an answer came, so the outcome is unknown' : faultText(fault);
  return new Failure(lost ? 'outcome_unknown' : 'unavailable', `${origin}: ${cause}`, {
    hint: [effect, faultAdvice(fault)].filter(Boolean).join(' ') || undefined,
    next: nextStep('doctor'),
    isUnclear,
    isUnsent,
    isTransient: TRANSIENT_FAULTS.includes(fault.reason) && fault.code !== 'ENOTFOUND' ? true : undefined,
  });
};

/** The failure of an answer without the service's envelope. If the call moves money, its outcome is unknown. */
export const unexpectedAnswer = (called: ClassifiedCall, http: number, problem: string): Failure => {
  const code = called.outcome.movesMoney ? 'outcome_unknown' : 'unexpected_answer';
  return new Failure(code, `${called.origin} answered with ${problem}`, {
    http,
    hint: lostHint(called.outcome) ?? 'Is the base URL the address of the service?',
    isUnclear: mayHaveHappened(called),
    // A redirect or a missing page does not change with a retry.
    isTransient: http < 300 || isTransient(http) ? true : undefined,
  });
};
