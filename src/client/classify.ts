import type { Endpoint, ErrorHttp } from '../contract/define.ts';
import type { ErrorEntry } from '../contract/error-steps.ts';
import { type ErrorStatus, errorEntry } from '../contract/errors.ts';
import type { Outcome } from '../contract/outcomes.ts';
import { Failure, type FailureCode, interrupted } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { inSentence } from '../core/remote-text.ts';
import type { HttpFault } from '../io/exchange.ts';
import type { Envelope } from './envelope.ts';
import { faultAdvice, faultWords } from './fault-words.ts';

/** A call as its end is judged: the endpoint, and what a lost answer to just this input means. */
export type Called = {
  readonly endpoint: Endpoint;
  readonly outcome: Outcome;
  readonly origin: string;
  /** The fields that it was made with. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** Answers that a gateway gives without knowing what the service did. */
const leavesDoubt = (http: number): boolean => http >= 500 || http === 408 || http === 425;

const isPassing = (http: number): boolean => leavesDoubt(http) || http === 429;

const byHttp = (status: string, http: number, { movesMoney }: Outcome): FailureCode => {
  if (movesMoney && leavesDoubt(http)) return 'outcome_unknown';
  if (http >= 500) return 'unavailable';
  if (status.endsWith('_not_found') || http === 404) return 'not_found';
  if (http === 401) return 'unauthorized';
  return http === 429 ? 'limit_reached' : 'rejected';
};

/**
 * What the catalogue says of an error. Of a call that moves money it counts only where the document lists the
 * status for this endpoint with this HTTP code: `validation_error` with HTTP 500 proves nothing.
 */
const knownError = ({ endpoint, outcome }: Called, { status, statusCode }: Envelope): ErrorEntry | undefined => {
  const listed: Readonly<Record<string, ErrorHttp | undefined>> = endpoint.errors;
  const counts = !outcome.movesMoney || !leavesDoubt(statusCode) || listed[status] === statusCode;
  return counts ? errorEntry(status) : undefined;
};

/** What to know of a call that may have had its effect. Of one that only reads there is nothing to know. */
const lostHint = ({ isAutomatic, description }: Outcome): string | undefined => (isAutomatic ? undefined : description);

const mayHaveHappened = ({ outcome }: Called): true | undefined => (outcome.isAutomatic ? undefined : true);

/** Errors whose message is all there is to say: their meaning beside it would say it twice. */
const SAYS_IT_ALL: ReadonlySet<string> = new Set<ErrorStatus>([
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

/** What the catalogue adds to the message of an error, where it adds something. */
const meaningBeside = (status: string): string | undefined =>
  SAYS_IT_ALL.has(status) ? undefined : errorEntry(status)?.meaning;

/** Fields that are named one by one, and a message in the words of the catalogue, leave nothing to add. */
const beside = ({ status, message, errors }: Envelope): string | undefined => {
  const meaning = meaningBeside(status);
  return meaning === message || errors?.length ? undefined : meaning;
};

/** What is known of an error besides its message: its meaning, and advice. */
const hintOf = (entry: ErrorEntry, envelope: Envelope): string => `${beside(envelope) ?? ''} ${entry.advice}`.trim();

/** An error of the service, classified on its `status` first and on HTTP second. */
export const serviceFailure = (called: Called, envelope: Envelope): Failure => {
  const { status, statusCode: http, message, errors, data } = envelope;
  const entry = knownError(called, envelope);
  const isUnclear = leavesDoubt(http);
  const says = message ? inSentence(message) : entry?.meaning || `the service answered ${inSentence(status)}`;
  return new Failure(entry?.code ?? byHttp(status, http, called.outcome), says, {
    status,
    http,
    errors,
    data,
    hint: entry ? hintOf(entry, envelope) : isUnclear ? lostHint(called.outcome) : undefined,
    next: entry?.next(called.input),
    isUnclear: isUnclear ? mayHaveHappened(called) : undefined,
    isPassing: isPassing(http) ? true : undefined,
  });
};

const joined = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.filter(Boolean).join(' ') || undefined;

const HEALS: readonly HttpFault['reason'][] = ['refused', 'dns', 'connect_timeout', 'deadline', 'connection_lost'];

/** A call without an answer. Only what is known not to have been sent leaves nothing in doubt. */
export const faultFailure = (called: Called, fault: HttpFault): Failure => {
  const { outcome, origin } = called;
  const lost = fault.sent && outcome.movesMoney;
  const isUnclear = fault.sent ? mayHaveHappened(called) : undefined;
  const isUnsent = fault.sent ? undefined : true;
  if (fault.reason === 'interrupted' && !lost) {
    return interrupted({ hint: isUnclear && outcome.description, isUnclear, isUnsent });
  }
  const isStopped = fault.reason === 'interrupted';
  const says = isStopped ? 'interrupted before an answer came, so the outcome is not known' : faultWords(fault);
  return new Failure(lost ? 'outcome_unknown' : 'unavailable', `${origin}: ${says}`, {
    hint: joined(fault.sent ? lostHint(outcome) : 'The request was not sent.', faultAdvice(fault)),
    next: nextStep('doctor'),
    isUnclear,
    isUnsent,
    isPassing: HEALS.includes(fault.reason) && fault.code !== 'ENOTFOUND' ? true : undefined,
  });
};

/** An answer that is not the service's. For a call that moves money its outcome is unknown. */
export const strangeAnswer = (called: Called, http: number, problem: string): Failure =>
  new Failure(
    called.outcome.movesMoney ? 'outcome_unknown' : 'unexpected_answer',
    `${called.origin} answered with ${problem}`,
    {
      http,
      hint: lostHint(called.outcome) ?? 'Is the base URL the address of the service?',
      isUnclear: mayHaveHappened(called),
      // A redirect or a page that is not there will be the same the next time.
      isPassing: http < 300 || isPassing(http) ? true : undefined,
    },
  );
