import { Failure, type FieldError, namesOf, withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import type { Command, CommandContext } from '../command/command.ts';
import {
  type AnswerTogether,
  type DeclaredInput,
  declaredBy,
  exampleOf,
  type ParsedArgs,
  type Question,
  type Suggestions,
} from '../command/options.ts';
import { kindOf } from '../profiles/selection.ts';
import type { Answer } from './answers.ts';
import { askChoice, askChoices, askSeveral, askText, askThen } from './ask.ts';
import { canBeAsked, suggestionsFor } from './suggestions.ts';
import { problemInFile, typedPath } from './validators.ts';

/** The other options, the current value of each option if it is known, and earlier answers, which Enter keeps. */
type QuestionContext = {
  readonly given: ParsedArgs;
  readonly now: Readonly<Record<string, string>>;
  readonly before?: ReadonlyMap<string, Answer> | undefined;
};

/** The values of the earlier answer to the same question, as the user would type them. */
const keptIn = ({ before }: QuestionContext, flag: string): readonly string[] => {
  const { value, isHidden } = before?.get(flag) ?? {};
  return isHidden || typeof value === 'boolean' ? [] : [value ?? []].flat();
};

/** Whether the value is a path. */
const isPath = ({ value, completes }: DeclaredInput): boolean => value === 'FILE' || completes === 'files';

/** The value of an answer. A leading `~/` in a path becomes the home folder. */
const answerOf =
  (cli: CommandContext, declared: DeclaredInput) =>
  (text: string): string =>
    isPath(declared) ? typedPath(cli.io, text) : text;

/** The problem of an answer: by its declaration, then by its validator, then by the file that it names. */
const problemIn = async (cli: CommandContext, { given }: QuestionContext, declared: DeclaredInput, text: string) => {
  const { check, validate, readsStdin } = declared;
  // stdin is the terminal while questions are asked.
  if (readsStdin && text === '-') return 'cannot be used here: enter a file name';
  const value = answerOf(cli, declared)(text);
  const problem = check?.(value) ?? (validate && (await (await validate())(value, given, cli)));
  return problem ?? (isPath(declared) && !validate && value !== '-' ? problemInFile(cli.io, value) : undefined);
};

/** The question for an option. A typed value shows the current value, an example, or the default. */
const questionOf = async (
  cli: CommandContext,
  about: QuestionContext,
  declared: DeclaredInput,
  isTyped: boolean,
): Promise<Question> => {
  const { flag, description, question = description, isHidden = false, sandboxValue, readDefault, ask } = declared;
  const values = keptIn(about, flag);
  // A refused value is corrected where it is typed; a list does not offer it again.
  const isOffered = isTyped || !about.before?.get(flag)?.isRefused;
  const kept = values.length === 1 && isOffered ? values[0] : undefined;
  // A typed value has its earlier value as its default. A list of choices, and several values, show it in words.
  const isShown = values.length > 1 ? ask === undefined : values.length === 1 && !isTyped;
  // Enter alone keeps a typed value that is to be changed.
  const now = about.now[flag];
  const unchanged = isTyped && ask === undefined ? now : undefined;
  const current = unchanged === undefined ? (now ?? (isShown ? values.join(', ') : undefined)) : undefined;
  const isFirst = current === undefined && !about.before?.has(flag);
  const stored = isFirst ? await (await readDefault?.())?.(cli, about.given) : undefined;
  // A sample never takes the place of what the user has answered.
  const hasSample = isFirst && sandboxValue !== undefined && kindOf(await cli.selection()) === 'sandbox';
  const sample = hasSample ? exampleOf({ ...declared, example: sandboxValue }, about.given) : undefined;
  const initial = kept ?? unchanged ?? stored ?? sample;
  const example =
    isTyped && current === undefined && initial === undefined ? exampleOf(declared, about.given) : undefined;
  return {
    flag,
    isHidden,
    description: question + (current === undefined ? '' : ` (now ${current})`),
    example,
    initial,
    kept: values,
    room: (initial ?? example)?.length,
    problemIn: (text) => problemIn(cli, about, declared, text),
  };
};

const answersTogether = (askedBy: string, { together }: AnswerTogether): readonly Answer[] =>
  Object.entries(together).map(([flag, value]) => ({ flag, name: flag.slice(2), value, askedBy }));

/** Whether an option has no value, and no question of its own. */
const isSwitch = ({ value, ask }: DeclaredInput): boolean => value === undefined && !ask;

/** Throws if the sandbox has no value to choose. A live service may know one that this machine does not. */
const assertSome = async (
  cli: CommandContext,
  { whenNone }: DeclaredInput,
  { choices }: Suggestions,
): Promise<void> => {
  if (choices.length > 0 || !whenNone || kindOf(await cli.selection()) !== 'sandbox') return;
  const { message, next } = whenNone;
  const hint = 'One that another program made has to be named by its id.';
  throw new Failure('invalid_input', `nothing was sent: ${message}`, { hint, next });
};

/** Asks for the value of one option or argument. Some questions give the values of others too. */
const askFor = async (cli: CommandContext, about: QuestionContext, declared: DeclaredInput) => {
  const { flag, name, isRepeatable, ask } = declared;
  const isHidden = declared.isHidden === true || declared.isSecret === true;
  const answerWith = (found: Answer['value']): readonly Answer[] => [{ flag, name, value: found, isHidden }];
  if (isSwitch(declared)) return answerWith(true);
  const suggested = ask ? undefined : await suggestionsFor(cli, about.given, declared);
  if (suggested) await assertSome(cli, declared, suggested);
  const question = await questionOf(cli, about, declared, suggested === undefined);
  if (ask) {
    const found = await (await ask())(cli, question, about.given);
    if (typeof found === 'object' && 'together' in found) return answersTogether(flag, found);
    return answerWith(isRepeatable && typeof found !== 'boolean' ? [found].flat() : found);
  }
  if (suggested) return answerWith(await (isRepeatable ? askChoices : askChoice)(cli, question, suggested));
  return answerWith(
    isRepeatable ? await askSeveral(cli, question) : answerOf(cli, declared)(await askText(cli, question)),
  );
};

/** The declarations of an error's names, without those that cannot be asked for. */
const askableIn = async (cli: CommandContext, command: Command, names: readonly string[]) => {
  const all = declaredBy(command, names);
  const can = await Promise.all(all.map((one) => canBeAsked(cli, one)));
  return all.filter((_, at) => can[at]);
};

const NO_KEY = {
  message: 'required, and there is no key yet: bursar key new treasury --chain evm, or --chain solana',
  first: nextStep('key.new', 'treasury', 'evm'),
};

/** The error for a value that cannot be asked for; `undefined` if it can. */
const unaskableError = async (cli: CommandContext, command: Command, error: FieldError) => {
  const names = namesOf(error);
  if ((await askableIn(cli, command, names)).length > 0) return undefined;
  return error.first === undefined && declaredBy(command, names).length > 0 ? { ...error, ...NO_KEY } : error;
};

/** Throws if a missing value cannot be asked for, before the first question. The failure lists only such values. */
export const assertAskable = async (cli: CommandContext, command: Command, failure: Failure): Promise<void> => {
  const { errors = [] } = failure.details;
  const unaskable = await Promise.all(errors.map((error) => unaskableError(cli, command, error)));
  const found = unaskable.filter((error) => error !== undefined);
  if (found.length > 0) throw withDetails(failure, { errors: found });
};

const asChoice = ({ now }: QuestionContext, declared: DeclaredInput): Choice<DeclaredInput> => {
  const current = now[declared.flag];
  const name = `${declared.description}${current === undefined ? '' : `, now ${current}`} (${declared.flag})`;
  return { name: escapeText(name), value: declared };
};

/** Asks for one change after the other. All changes are shown and sent together. */
const askForChanges = (cli: CommandContext, about: QuestionContext, all: readonly DeclaredInput[]) => {
  const askFrom = (answers: readonly Answer[]): Promise<readonly Answer[]> => {
    const left = all.filter(({ name }) => !answers.some((one) => one.name === name));
    if (left.length === 0) return Promise.resolve(answers);
    const isFirst = answers.length === 0;
    const enough = isFirst ? [] : [{ name: 'Nothing else', value: undefined }];
    const choices: readonly Choice<DeclaredInput | undefined>[] = [
      ...enough,
      ...left.map((one) => asChoice(about, one)),
    ];
    const question = isFirst ? 'Change which value?' : 'Change another value?';
    return askThen<DeclaredInput | undefined, readonly Answer[]>(
      cli,
      () => cli.io.prompt.select<DeclaredInput | undefined>(question, choices),
      async (chosen) => {
        if (chosen === undefined) return answers;
        return askThen<readonly Answer[], readonly Answer[]>(
          cli,
          (before = []) => askFor(cli, withBefore(about, before), chosen),
          (found) => askFrom([...answers, ...found]),
        );
      },
    );
  };
  return askFrom([]);
};

/** The same context with newer answers. */
const withBefore = (about: QuestionContext, answers: readonly Answer[]): QuestionContext => ({
  ...about,
  before: new Map([...(about.before ?? []), ...answers.map((one) => [one.flag, one] as const)]),
});

/** Asks again for an earlier answer. */
export const repeatQuestion = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  answer: Answer,
): Promise<readonly Answer[]> => {
  const [declared] = await askableIn(cli, command, [answer.flag]);
  if (declared === undefined) return [answer];
  if (isSwitch(declared)) return [{ ...answer, value: await cli.io.prompt.confirm(`Use ${declared.flag}?`, true) }];
  return askFor(cli, { given, now: {}, before: new Map([[answer.flag, answer]]) }, declared);
};

/** Asks for the value that an error names. If several options are possible, the user chooses one. Enter keeps `before`. */
export const askAbout = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  names: readonly string[],
  before: ReadonlyMap<string, Answer> = new Map(),
) => {
  const all = await askableIn(cli, command, names);
  const [only, ...others] = all;
  if (only === undefined) return [];
  if (others.length === 0) return askFor(cli, { given, now: {}, before }, only);
  const about: QuestionContext = { given, now: (await command.currentValues?.(cli, given)) ?? {}, before };
  if (command.currentValues) return askForChanges(cli, about, all);
  const choices = all.map((one) => asChoice(about, one));
  return askThen(
    cli,
    () => cli.io.prompt.select('Choose what to enter:', choices),
    (chosen) => askFor(cli, about, chosen),
  );
};
