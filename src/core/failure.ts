import { EXIT, type ExitCode } from './exit-codes.ts';
import type { NextStep } from './next.ts';
import { withoutMarks } from './remote-text.ts';

/**
 * Every way in which a command can fail, and the exit code it ends with.
 * A code is never reused for another meaning: scripts match on `error.code`.
 */
export const FAILURES = {
  /** The words of the command line are wrong. */
  usage: EXIT.usage,
  /** A value is wrong or missing; nothing was sent. */
  invalid_input: EXIT.usage,
  /** A file given by the user cannot be read, or is not what it should be. */
  unreadable_file: EXIT.usage,
  /** A file that would have been made is there already, and nothing is overwritten. */
  file_exists: EXIT.usage,
  /** A file cannot be written. */
  unwritable_file: EXIT.usage,
  /** Settings contradict each other, or a settings file is damaged. */
  bad_settings: EXIT.usage,
  /** No key of that name in the keystore. */
  key_not_found: EXIT.usage,
  /** A key of that name exists and is never overwritten. */
  key_exists: EXIT.usage,
  /** The password does not open the key. */
  wrong_password: EXIT.usage,
  /** A key file is damaged, or is of a kind that cannot be opened. */
  damaged_key_file: EXIT.usage,
  /** The journal cannot be written: nothing may be sent without it. */
  journal_unwritable: EXIT.usage,
  /** A record of the journal cannot be read: what was sent is not known, so nothing may be sent. */
  journal_damaged: EXIT.usage,
  /** A question had to be asked and there is nobody to answer it. */
  confirmation_needed: EXIT.usage,
  /** The user said no to something that moves no money. */
  declined: EXIT.usage,
  /** No API key, or the service was not chosen. */
  no_api_key: EXIT.refusedKey,
  unauthorized: EXIT.refusedKey,
  not_found: EXIT.notFound,
  /** Service or network not available; nothing is in doubt. */
  unavailable: EXIT.unavailable,
  /** What came back is not an answer of this service. */
  unexpected_answer: EXIT.unavailable,
  /** The sandbox cannot run here, or could not be started. */
  sandbox_unavailable: EXIT.unavailable,
  identity_gate: EXIT.identityGate,
  limit_reached: EXIT.limitReached,
  not_final: EXIT.notFinal,
  rejected: EXIT.rejected,
  /** The review found a contradiction, or the user said no; nothing was signed. */
  refused_by_review: EXIT.refusedByReview,
  /** Money may have moved. */
  outcome_unknown: EXIT.outcomeUnknown,
  /** A signature is not that of the address over the message. */
  bad_signature: EXIT.refusedByReview,
  payment_failed: EXIT.endedInError,
  interrupted: EXIT.interrupted,
  /** What takes the answer, such as a full disk behind a redirect, cannot be written. */
  unwritable_output: EXIT.fault,
  /** A fault in bursar. */
  internal: EXIT.fault,
} as const satisfies Record<string, ExitCode>;

/** The code of a failure, as `error.code` of JSON output has it. */
export type FailureCode = keyof typeof FAILURES;

/**
 * One wrong field: `field` is the service's path of it, e.g. `card_data.address.city`; `option` is the option
 * or argument of the command line that sets it. `isMissing` when nothing was given for it: a person can be asked.
 */
export type FieldError = {
  readonly field: string;
  readonly message: string;
  readonly option?: string;
  /** Options or arguments of which any one will do; `option` has them as text. */
  readonly anyOf?: readonly string[];
  readonly isMissing?: true | undefined;
  /** The message has what it is that is missing. */
  readonly isExplained?: true | undefined;
  /** What it is that is missing, for a person. */
  readonly says?: string;
  /** The command that provides what is missing. */
  readonly first?: NextStep | undefined;
};

/** The options or arguments that would set a wrong field; without one the field itself. */
export const namesOf = ({ anyOf, option, field }: FieldError): readonly string[] => anyOf ?? [option ?? field];

/** What was chosen for an option or an argument (`flag`, as the command line has it); `name` is what it is given under. */
export type Chosen = { readonly flag: string; readonly name: string; readonly value: string };

/** What a failure carries besides its code and message; all of it is told, but for `cause` and the marks. */
export type FailureDetails = {
  /** The service's own status, e.g. `order_limit_reached`. */
  readonly status?: string | undefined;
  /** The HTTP status of the answer. */
  readonly http?: number | undefined;
  /** What the answer calls its request. */
  readonly requestId?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly data?: unknown;
  /** What the reader should know besides the message. */
  readonly hint?: string | undefined;
  /** The command that makes progress, where one does. Advice that is no command is a `hint`. */
  readonly next?: NextStep | undefined;
  readonly cause?: unknown;
  /** The call may have had its effect all the same. */
  readonly isUnclear?: true | undefined;
  /** The call failed before its first byte left this machine: that is a fact, and no answer. */
  readonly isUnsent?: true | undefined;
  /** It may be otherwise in a moment: what only reads may be tried again. */
  readonly isPassing?: true | undefined;
  /** How long the service asks to wait before the next call. */
  readonly retryAfterMs?: number | undefined;
  /** A person said no to it: it is as it was, and can be taken up again. */
  readonly isDeclined?: true;
  /** What the review refused may change, such as a rate or a balance: the operation stays open. */
  readonly isLeftOpen?: true;
  /** What a person had chosen before this was found out: it is not asked again. */
  readonly chosen?: Chosen | undefined;
  /** Nothing is wrong but that the values of `errors` are missing. */
  readonly isOnlyMissing?: true;
  /** The message has what `errors` say. */
  readonly namesErrors?: true;
  /** The answer on stdout says it already: no second document follows it. */
  readonly isAnswered?: true;
};

/** The one error class of bursar. `cli/exit.ts` alone turns it into text and an exit code. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;
  /** The message, in which what a server says is marked (`inSentence`), for a screen. */
  readonly sentence: string;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(withoutMarks(message), { cause: details.cause });
    this.sentence = message;
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** The end by Ctrl-C, or by a request to the process to end. */
export const interrupted = (details: FailureDetails = {}): Failure =>
  new Failure('interrupted', 'interrupted', details);

/** Narrows an unknown error to a failure, of one code where a code is given. */
export const isFailure = (error: unknown, code?: FailureCode): error is Failure =>
  error instanceof Failure && (code === undefined || error.code === code);

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
