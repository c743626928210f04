import { Failure, type FieldError } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Leaf } from '../command.ts';
import { withoutNotes } from '../without-notes.ts';
import { declaredIn } from './declared.ts';
import { exampleOf } from './examples.ts';

const inWords = async (leaf: Leaf, named: string): Promise<string | undefined> => {
  const [declared, ...others] = declaredIn(leaf, named);
  // What only a file can say is no file.
  if (!declared || others.length > 0 || named.endsWith(' in --body')) return undefined;
  const says = withoutNotes(declared.says);
  if (declared.choices) return `${says}: ${declared.choices.join(', ')}`;
  const example = says.includes('such as') ? undefined : await exampleOf(leaf, declared.flag);
  return example === undefined ? says : `${says}, such as ${example}`;
};

/** Says what a thing is that is missing, but where the error says so itself. */
const withSays = async (leaf: Leaf, error: FieldError): Promise<FieldError> => {
  const { option, field, message, isMissing } = error;
  const says = isMissing && !message.includes(':') ? await inWords(leaf, option ?? field) : undefined;
  return says === undefined ? error : { ...error, says };
};

/** What is to be done first where one thing is missing and says itself how to get it; else the help of the command. */
const nextOf = (leaf: Leaf, errors: readonly FieldError[]): NextStep => {
  const [only, ...others] = errors;
  const isAlone = only?.isMissing === true && others.length === 0;
  return (isAlone ? only.first : undefined) ?? nextStep('help', ...leaf.words);
};

/** The same failure, with what each missing thing is, and where all that could be given is told. */
export const namingMissing = async (leaf: Leaf, failure: Failure): Promise<Failure> => {
  const { errors = [], next = nextOf(leaf, failure.details.errors ?? []) } = failure.details;
  const told = await Promise.all(errors.map((error) => withSays(leaf, error)));
  return new Failure(failure.code, failure.sentence, { ...failure.details, errors: told, next, cause: failure.cause });
};
