import type { NextStep } from './next.ts';
import { withoutMarks } from './text.ts';

/** The exit codes that scripts rely on. The meaning of a number never changes. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  notFound: 3,
  refusedKey: 4,
  unavailable: 5,
  identityGate: 6,
  limitReached: 7,
  notFinal: 8,
  rejected: 9,
  refusedByReview: 10,
  outcomeUnknown: 11,
  endedInError: 12,
  flowFailed: 13,
  interrupted: 130,
} as const;

/** An exit code of bursar. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Every failure of a command, with its exit code.
 * A code never changes its meaning: scripts match on `error.code`.
 */
export const FAILURES = {
  /** The command line is wrong. */
  usage: EXIT.usage,
  /** A value is wrong or missing; nothing was sent. */
  invalid_input: EXIT.usage,
  /** A file that the user named cannot be read, or has the wrong content. */
  unreadable_file: EXIT.usage,
  /** The file to create already exists. bursar never overwrites it. */
  file_exists: EXIT.usage,
  /** A file cannot be written. */
  unwritable_file: EXIT.usage,
  /** Settings contradict each other, or a settings file is damaged. */
  bad_settings: EXIT.usage,
  /** The keystore has no key of that name. */
  key_not_found: EXIT.usage,
  /** A key of that name already exists. bursar never overwrites it. */
  key_exists: EXIT.usage,
  /** The password does not unlock the key. */
  wrong_password: EXIT.usage,
  /** A key file is damaged, or has an unsupported format. */
  damaged_key_file: EXIT.usage,
  /** The journal cannot be written. Without a record nothing may be sent. */
  journal_unwritable: EXIT.usage,
  /** The database of the journal does not answer, and nothing was sent that is not recorded. */
  journal_unreachable: EXIT.unavailable,
  /** A record of the journal cannot be read. Earlier sends are unknown, so nothing may be sent. */
  journal_damaged: EXIT.usage,
  /** The command needs an answer, but no user is at a terminal. */
  confirmation_needed: EXIT.usage,
  /** The user said no to something that moves no money. */
  declined: EXIT.usage,
  /** There is no API key, or no service is selected. */
  no_api_key: EXIT.refusedKey,
  unauthorized: EXIT.refusedKey,
  not_found: EXIT.notFound,
  /** The service or the network is not available; nothing is in doubt. */
  unavailable: EXIT.unavailable,
  /** The answer is not one of this service. */
  unexpected_answer: EXIT.unavailable,
  /** The sandbox cannot run on this machine, or did not start. */
  sandbox_unavailable: EXIT.unavailable,
  identity_gate: EXIT.identityGate,
  limit_reached: EXIT.limitReached,
  not_final: EXIT.notFinal,
  rejected: EXIT.rejected,
  /** The review found a contradiction, or the user said no; nothing was signed. */
  refused_by_review: EXIT.refusedByReview,
  /** Money may have moved. */
  outcome_unknown: EXIT.outcomeUnknown,
  /** The address did not make this signature over the message. */
  bad_signature: EXIT.refusedByReview,
  payment_failed: EXIT.endedInError,
  /** A flow of a smoke test did not pass. */
  smoke_failed: EXIT.flowFailed,
  /** Rows of a bulk file failed; the others were paid. */
  rows_failed: EXIT.flowFailed,
  interrupted: EXIT.interrupted,
  /** stdout cannot be written, for example because of a full disk behind a redirect. */
  unwritable_output: EXIT.fault,
  /** A fault in bursar. */
  internal: EXIT.fault,
} as const satisfies Record<string, ExitCode>;

/** The code of a failure: `error.code` in JSON output. */
export type FailureCode = keyof typeof FAILURES;

/** Failures that a retry of the operation would repeat, or that the user chose. */
const FINAL: readonly unknown[] = ['invalid_input', 'refused_by_review', 'rejected', 'payment_failed', 'not_found'];

/** Whether an operation that failed with this code, and sent nothing, is over. */
export const isFinalCode = (code: unknown): boolean => FINAL.includes(code);

/**
 * One wrong field. `field` is the service's path, such as `card_data.address.city`; `option` is the option or argument
 * that sets the field. `isMissing`: the field has no value, so that a prompt can ask for it.
 */
export type FieldError = {
  readonly field: string;
  readonly message: string;
  readonly option?: string;
  /** The option for scripts, if `option` describes a place in the value of that option. */
  readonly by?: string;
  /** Options or arguments of which any one will do; `option` has them as text. */
  readonly anyOf?: readonly string[];
  readonly isMissing?: true | undefined;
  /** The message describes the missing field already. */
  readonly isExplained?: true | undefined;
  /** Describes the missing field for the user. */
  readonly explanation?: string;
  /** The command that provides the missing value. */
  readonly first?: NextStep | undefined;
};

/** The options or arguments that would set a wrong field; the field itself if there are none. */
export const namesOf = ({ anyOf, option, field }: FieldError): readonly string[] => anyOf ?? [option ?? field];

/** The user's choice for an option or argument: `flag` as on the command line, `name` as in the parsed arguments. */
export type OptionChoice = { readonly flag: string; readonly name: string; readonly value: string };

/** The details of a failure. All of them are printed, except `cause`, `whenPrinted`, `atQuestion` and the `is…` marks. */
export type FailureDetails = {
  /** The service's own status, e.g. `order_limit_reached`. */
  readonly status?: string | undefined;
  /** The HTTP status of the answer. */
  readonly http?: number | undefined;
  /** The id of the request, from the headers of the answer. */
  readonly requestId?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly data?: unknown;
  /** Advice beside the message that is not a command. */
  readonly hint?: string | undefined;
  /** The command that the user can run next. */
  readonly next?: NextStep | undefined;
  /** The command after that one. It is printed at the end of the hint. */
  readonly followUp?: NextStep | undefined;
  readonly cause?: unknown;
  /** The call may have taken effect, although it failed. */
  readonly isUnclear?: true | undefined;
  /** The database of the journal refused the login: a password may help. */
  readonly isLogin?: true | undefined;
  /** The call failed before its first byte left this machine. */
  readonly isUnsent?: true | undefined;
  /** The failure may be temporary: a call that only reads may be retried. */
  readonly isTransient?: true | undefined;
  /** The wait before the next call that the service requests. */
  readonly retryAfterMs?: number | undefined;
  /** The user declined. Nothing changed, and the operation can be resumed. */
  readonly isDeclined?: true;
  /** The review refused a fact that may change, such as a rate or a balance. The operation stays open. */
  readonly isLeftOpen?: true;
  /** The user's choice from before this failure: no prompt asks for it again. */
  readonly choice?: OptionChoice | undefined;
  /** The only problem is that the values of `errors` are missing. */
  readonly isOnlyMissing?: true;
  /** Ctrl-C ended a question: before this machine sent anything but reads, or after. */
  readonly atQuestion?: 'unsent' | 'sent';
  /** The message contains the messages of `errors`. */
  readonly namesErrors?: true;
  /** stdout has one document a line. */
  readonly isOfStream?: true;
  /** stdout already has the result, so that no second document follows. */
  readonly isPrinted?: true;
  /** Records that the message was printed. It runs after the output, so that a message that nobody read is repeated. */
  readonly whenPrinted?: () => Promise<void>;
};

/** The only error class of bursar. Only `cli/print/exit.ts` turns it into text and an exit code. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;
  /** The message for a screen, with the text of servers marked by `inSentence`. */
  readonly sentence: string;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(withoutMarks(message), { cause: details.cause });
    this.sentence = message;
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** The same failure with other details. It is the cause of the new one, unless `more` has a cause. */
export const withDetails = (failure: Failure, more: FailureDetails, code = failure.code): Failure =>
  new Failure(code, failure.sentence, { ...failure.details, cause: failure, ...more });

/** For `catch`: the value for an expected error, or for a failure of that code. Any other error is thrown again. */
export const valueOn =
  <T>(expected: FailureCode | ((error: unknown) => boolean), value: T) =>
  (error: unknown): T => {
    if (typeof expected === 'string' ? isFailure(error, expected) : expected(error)) return value;
    throw error;
  };

/** For `catch`: throws what `amend` makes of a failure, or only of one with `code`. Any other error is thrown again. */
export const amended =
  (amend: (failure: Failure) => Failure, code?: FailureCode) =>
  (error: unknown): never => {
    throw isFailure(error, code) ? amend(error) : error;
  };

/** The failure after Ctrl-C, or after a signal that ends the process. */
export const interrupted = (details: FailureDetails = {}): Failure =>
  new Failure('interrupted', 'interrupted', details);

/** Narrows an unknown error to a failure; with `code`, to a failure of that code. */
export const isFailure = (error: unknown, code?: FailureCode): error is Failure =>
  error instanceof Failure && (code === undefined || error.code === code);

/** Whether an error is a failure, but not the user's interrupt. */
export const isUninterrupted = (error: unknown): error is Failure => isFailure(error) && error.code !== 'interrupted';

/** The result of `work`; `undefined` where it fails, or fails with `code`. Throws every other error. */
export const undefinedOn = <T>(work: () => T, code?: FailureCode): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (isFailure(error, code)) return undefined;
    throw error;
  }
};

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of an error from Node or the system, such as ENOENT; empty if the error has no code. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** Whether an error has one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(codeOf(error));

/** Why the system refused a file: `read-only file system (EROFS)`, without the call and its temporary path. */
export const whyUnwritable = (error: unknown): string => messageOf(error).replace(/^(E\w+): (.+?),.*/, '$2 ($1)');

/** The codes of errors of TLS, by Node and OpenSSL. */
export const TLS_ERROR =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;
