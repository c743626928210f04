import { errorEntry } from '../../contract/errors.ts';
import {
  EXIT,
  FAILURES,
  Failure,
  type FailureCode,
  type FieldError,
  isFailure,
  namesOf,
  withDetails,
} from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Command } from '../command/command.ts';
import { declaredBy, exampleOf } from '../command/options.ts';

const inWords = (command: Command, names: readonly string[]): string | undefined => {
  const [declared, ...others] = declaredBy(command, names);
  if (!declared || others.length > 0) return undefined;
  const { description, choices } = declared;
  if (choices) return `${description}: ${choices.join(', ')}`;
  const example = exampleOf(declared);
  return example === undefined ? description : `${description}, such as ${example}`;
};

/** Adds the meaning of a missing value to its error, unless the error has an explanation. */
const withMeaning = (command: Command, error: FieldError): FieldError => {
  const meaning = error.isMissing && !error.isExplained ? inWords(command, namesOf(error)) : undefined;
  return meaning === undefined ? error : { ...error, explanation: meaning };
};

/** The command that provides the only missing value; otherwise the help of the command. */
const nextOf = (command: Command, errors: readonly FieldError[]): NextStep => {
  const [only, ...others] = errors;
  const isAlone = only?.isMissing === true && others.length === 0;
  return (isAlone ? only.first : undefined) ?? nextStep('help', ...command.words);
};

/** Wrong values stand before missing ones, which a long list would hide them in. */
const wrongFirst = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.toSorted((one, other) => Number(one.isMissing === true) - Number(other.isMissing === true));

/** Adds the meaning of each missing value, and a next command. */
const namingMissing = (command: Command, failure: Failure): Failure => {
  const { errors = [], next = nextOf(command, failure.details.errors ?? []) } = failure.details;
  const explained = wrongFirst(errors).map((error) => withMeaning(command, error));
  return withDetails(failure, { errors: explained, next, cause: failure.cause });
};

/** A stop by the user and a fault in bursar need no next command. */
const NEEDS_NONE: readonly FailureCode[] = ['declined', 'interrupted', 'internal'];

/** Whether the input is wrong, so that the help of the command is useful. */
const isOfInput = ({ code, details: { errors } }: Failure): boolean =>
  FAILURES[code] === EXIT.usage ||
  (code === 'rejected' && errors !== undefined) ||
  (code === 'refused_by_review' && errors?.some(({ option }) => option !== undefined) === true);

/** The next command of a failure without its own: `doctor`, the help of the command, or `explain`. */
const usualNext = ({ words }: Command, failure: Failure): NextStep => {
  const { code, details } = failure;
  if (code === 'journal_damaged' || code === 'journal_unwritable') return nextStep('doctor');
  if (isOfInput(failure)) return nextStep('help', ...words);
  return nextStep('explain', details.status !== undefined && errorEntry(details.status) ? details.status : code);
};

/** Adds the usual next command. */
const withNext = (command: Command, error: Failure): Failure => {
  if (error.details.next !== undefined || NEEDS_NONE.includes(error.code)) return error;
  return withDetails(error, { next: usualNext(command, error), cause: error.cause });
};

/** States the effect of Ctrl-C at a question, where the command states nothing itself. */
const statingCancelled = ({ calls }: Command, error: Failure): Failure => {
  const { atQuestion, hint, next, data } = error.details;
  if (atQuestion === undefined || [hint, next, data].some((each) => each !== undefined)) return error;
  const more = atQuestion === 'sent' ? ' more' : '';
  const message = `interrupted; nothing${more} was ${calls?.length ? 'sent' : 'done'}`;
  return new Failure('interrupted', message, { ...error.details, cause: error });
};

/** Adds a next command, and the meaning of each missing value. States the effect of Ctrl-C at a question. */
export const namingNext = (command: Command, error: Failure): Failure => {
  if (isFailure(error, 'interrupted') && error.message === 'interrupted') return statingCancelled(command, error);
  const isMissing = isFailure(error, 'invalid_input') && error.details.errors?.some((one) => one.isMissing);
  return withNext(command, isMissing ? namingMissing(command, error) : error);
};
