import { errorEntry } from '../../contract/errors.ts';
import { EXIT, FAILURES, Failure, type FailureCode, type FieldError, isFailure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Command } from '../command/command.ts';
import { withoutNotes } from '../command/without-notes.ts';
import { declaredIn } from './declared.ts';
import { exampleOf } from './examples.ts';

const inWords = async (command: Command, named: string): Promise<string | undefined> => {
  const [declared, ...others] = declaredIn(command, named);
  // What only a file can say is no file.
  if (!declared || others.length > 0 || named.endsWith(' in --body')) return undefined;
  const says = withoutNotes(declared.description);
  if (declared.choices) return `${says}: ${declared.choices.join(', ')}`;
  const example = says.includes('such as') ? undefined : await exampleOf(command, declared.flag);
  return example === undefined ? says : `${says}, such as ${example}`;
};

/** Says what a thing is that is missing, but where the error says so itself. */
const withSays = async (command: Command, error: FieldError): Promise<FieldError> => {
  const { option, field, message, isMissing } = error;
  const says = isMissing && !message.includes(':') ? await inWords(command, option ?? field) : undefined;
  return says === undefined ? error : { ...error, explanation: says };
};

/** What is to be done first where one thing is missing and says itself how to get it; else the help of the command. */
const nextOf = (command: Command, errors: readonly FieldError[]): NextStep => {
  const [only, ...others] = errors;
  const isAlone = only?.isMissing === true && others.length === 0;
  return (isAlone ? only.first : undefined) ?? nextStep('help', ...command.words);
};

/** The same failure, with what each missing thing is, and the command that shows or provides it. */
const namingMissing = async (command: Command, failure: Failure): Promise<Failure> => {
  const { errors = [], next = nextOf(command, failure.details.errors ?? []) } = failure.details;
  const told = await Promise.all(errors.map((error) => withSays(command, error)));
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
export const namingNext = async (command: Command, error: Failure): Promise<Failure> => {
  const isMissing = isFailure(error, 'invalid_input') && error.details.errors?.some((one) => one.isMissing);
  return withNext(command, isMissing ? await namingMissing(command, error) : error);
};
