import { errorEntry } from '../../contract/errors.ts';
import { EXIT, FAILURES, Failure, type FailureCode, type FieldError, isFailure, namesOf } from '../../core/failure.ts';
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

/** Says what a thing is that is missing, but where the error says so itself. */
const withMeaning = (command: Command, error: FieldError): FieldError => {
  const meaning = error.isMissing && !error.isExplained ? inWords(command, namesOf(error)) : undefined;
  return meaning === undefined ? error : { ...error, explanation: meaning };
};

/** What is to be done first where one thing is missing and says itself how to get it; else the help of the command. */
const nextOf = (command: Command, errors: readonly FieldError[]): NextStep => {
  const [only, ...others] = errors;
  const isAlone = only?.isMissing === true && others.length === 0;
  return (isAlone ? only.first : undefined) ?? nextStep('help', ...command.words);
};

/** The same failure, with what each missing thing is, and the command that shows or provides it. */
const namingMissing = (command: Command, failure: Failure): Failure => {
  const { errors = [], next = nextOf(command, failure.details.errors ?? []) } = failure.details;
  const told = errors.map((error) => withMeaning(command, error));
  return new Failure(failure.code, failure.sentence, { ...failure.details, errors: told, next, cause: failure.cause });
};

/** What the user did, and a fault of ours, need no command. */
const NEEDS_NONE: readonly FailureCode[] = ['declined', 'interrupted', 'internal'];

/** Whether what was given is wrong, and not what was met. */
const isOfInput = ({ code, details: { errors } }: Failure): boolean =>
  FAILURES[code] === EXIT.usage ||
  (code === 'rejected' && errors !== undefined) ||
  (code === 'refused_by_review' && errors?.some(({ option }) => option !== undefined) === true);

/** For a failure without a command of its own: what looks at the journal, the help of this command, or its code explained. */
const usualNext = ({ words }: Command, failure: Failure): NextStep => {
  const { code, details } = failure;
  if (code === 'journal_damaged') return nextStep('doctor');
  if (isOfInput(failure)) return nextStep('help', ...words);
  return nextStep('explain', details.status !== undefined && errorEntry(details.status) ? details.status : code);
};

/** Every failure names a command. */
const withNext = (command: Command, error: Failure): Failure => {
  if (error.details.next !== undefined || NEEDS_NONE.includes(error.code)) return error;
  return new Failure(error.code, error.sentence, {
    ...error.details,
    next: usualNext(command, error),
    cause: error.cause,
  });
};

/** The same failure, with a next command, and with what each thing is that is missing. */
export const namingNext = (command: Command, error: Failure): Failure => {
  const isMissing = isFailure(error, 'invalid_input') && error.details.errors?.some((one) => one.isMissing);
  return withNext(command, isMissing ? namingMissing(command, error) : error);
};
