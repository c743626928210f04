import { type Failure, type FieldError, namesOf, withDetails } from '../../core/failure.ts';
import { commandLine, nextStep } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { isDryRun, type Part } from '../argv/command-line.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { type DeclaredInput, declaredBy, exampleOf, type ParsedArgs, type Question } from '../command/options.ts';
import { isLeftOut, repeated, type Typed } from '../print/next-command.ts';
import { kindOf } from '../profiles/selection.ts';
import { askChoice, askChoices, askSeveral, askText } from './ask.ts';
import { canBeAsked, suggestionsFor } from './suggestions.ts';
import { problemInFile, typedPath } from './validators.ts';

/** An answer, and the option or argument that it gives. */
export type Answer = {
  /** With its dashes. An argument has its name in capitals. */
  readonly flag: string;
  readonly name: string;
  readonly value: string | readonly string[] | boolean;
  /** The answer is never printed. */
  readonly isHidden?: boolean;
};

/** The answers as parts of a command line: arguments first, then options. */
export const answerParts = (answers: readonly Answer[]): readonly Part[] =>
  answers
    .toSorted((one, other) => Number(one.flag.startsWith('--')) - Number(other.flag.startsWith('--')))
    .flatMap(({ flag, value: answer }): readonly Part[] => {
      const values = typeof answer === 'object' ? answer : answer === false ? [] : [answer];
      return values.map((one): Part => {
        if (!flag.startsWith('--')) return { kind: 'word', text: String(one) };
        return { kind: 'option', flag, value: one === true ? undefined : String(one), isInline: false };
      });
    });

/**
 * The command line that gives the same result without questions, quoted for a shell. Secrets become shell variables.
 */
export const lineWithoutQuestions = (line: Pick<Typed, 'parts' | 'options'>): string => {
  const words = repeated(line, (option, value) => option.isHidden === true || isLeftOut(option, value));
  return escapeText(commandLine({ argv: ['bursar', ...words] }));
};

/** The smallest number of answers that are reviewed. */
const MIN_REVIEWED = 4;

/**
 * Whether the user reviews the answers before anything is sent. Commands that only read, or that show their own
 * preview, need no review.
 */
export const needsReview = (cli: CommandContext, command: Command, answers: readonly Answer[]): boolean => {
  const { calls = [], previewsChanges } = command;
  const changes = calls.length > 0 && command.answers !== undefined && !previewsChanges;
  return answers.length >= MIN_REVIEWED && changes && !cli.globals.yes && !isDryRun(cli);
};

/** An answer as printed text. Secrets are hidden. */
export const printedAnswer = ({ value, isHidden }: Answer): string => {
  if (isHidden) return 'not shown';
  return typeof value === 'string' ? value : value === true ? 'yes' : [value].flat().join(', ');
};

const inWords = (command: Command, answer: Answer): string => {
  const [declared] = declaredBy(command, [answer.flag]);
  return escapeText(`${declared?.description ?? answer.flag}: ${printedAnswer(answer)}`);
};

/** The choice of the user after the last question. */
export type NextAction =
  | { readonly as: 'go on' }
  | { readonly as: 'stop' }
  | { readonly as: 'change'; readonly answer: Answer };

const changes = (command: Command, answers: readonly Answer[]): readonly Choice<NextAction>[] =>
  answers.map((answer) => ({ name: inWords(command, answer), value: { as: 'change', answer }, alias: answer.flag }));

const STOP: Choice<NextAction> = { name: 'Stop: nothing is sent', value: { as: 'stop' } };

/** Shows all answers. The user continues, changes one answer, or stops. */
export const reviewAnswers = ({ io }: CommandContext, command: Command, answers: readonly Answer[]) => {
  const proceed: Choice<NextAction> = { name: 'Go on', value: { as: 'go on' } };
  return io.prompt.select('Review your answers:', [proceed, ...changes(command, answers), STOP]);
};

/** Asks after a no: nothing was sent, and one answer can be changed. */
export const askAfterNo = ({ io }: CommandContext, command: Command, answers: readonly Answer[]): Promise<NextAction> =>
  io.prompt.select('Nothing was sent. Stop, or change an answer?', [STOP, ...changes(command, answers)]);

/** Removes the answers that depend on the answer to change. */
export const withoutDependent = (command: Command, answers: readonly Answer[], { flag }: Answer): readonly Answer[] =>
  answers.filter((one) => !declaredBy(command, [one.flag])[0]?.follows?.some((each) => each === flag));

/** The other options, the current value of each option if it is known, and earlier answers, which Enter keeps. */
type QuestionContext = {
  readonly given: ParsedArgs;
  readonly now: Readonly<Record<string, string>>;
  readonly before?: ReadonlyMap<string, Answer> | undefined;
};

/** The earlier answer to the same question, as the user would type it. */
const keptIn = ({ before }: QuestionContext, flag: string): string | undefined => {
  const { value, isHidden } = before?.get(flag) ?? {};
  const values = isHidden || typeof value === 'boolean' ? [] : [value ?? []].flat();
  return values.length === 1 ? values[0] : undefined;
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
  const { flag, description, question = description, isHidden = false, sandboxValue } = declared;
  const kept = keptIn(about, flag);
  const current = about.now[flag] ?? (isTyped ? undefined : kept);
  const isFirst = current === undefined && !about.before?.has(flag);
  // A sample never takes the place of what the user has answered.
  const hasDefault = isFirst && sandboxValue !== undefined && kindOf(await cli.selection()) === 'sandbox';
  const initial = kept ?? (hasDefault ? exampleOf({ ...declared, example: sandboxValue }, about.given) : undefined);
  const example =
    isTyped && current === undefined && initial === undefined ? exampleOf(declared, about.given) : undefined;
  const beside = example === undefined ? '' : `, such as ${example}`;
  return {
    flag,
    isHidden,
    description: question + (current === undefined ? beside : ` (now ${current})`),
    initial,
    room: (initial ?? example)?.length,
    problemIn: (text) => problemIn(cli, about, declared, text),
  };
};

/** Asks for the value of one option or argument. */
const askFor = async (cli: CommandContext, about: QuestionContext, declared: DeclaredInput) => {
  const { flag, name, isRepeatable, value, ask } = declared;
  const isHidden = declared.isHidden === true || declared.isSecret === true;
  const answerWith = (found: Answer['value']): readonly Answer[] => [{ flag, name, value: found, isHidden }];
  if (value === undefined && !ask) return answerWith(true);
  const suggested = ask ? undefined : await suggestionsFor(cli, about.given, declared);
  const question = await questionOf(cli, about, declared, suggested === undefined);
  if (ask) {
    const found = await (await ask())(cli, question, about.given);
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
const askForChanges = async (cli: CommandContext, about: QuestionContext, all: readonly DeclaredInput[]) => {
  const answers: Answer[] = [];
  for (;;) {
    const left = all.filter(({ name }) => !answers.some((one) => one.name === name));
    if (left.length === 0) return answers;
    const isFirst = answers.length === 0;
    const enough = isFirst ? [] : [{ name: 'Nothing else', value: undefined }];
    const choices: readonly Choice<DeclaredInput | undefined>[] = [
      ...enough,
      ...left.map((one) => asChoice(about, one)),
    ];
    const question = isFirst ? 'Change which value?' : 'Change another value?';
    const chosen = await cli.io.prompt.select<DeclaredInput | undefined>(question, choices);
    if (chosen === undefined) return answers;
    answers.push(...(await askFor(cli, about, chosen)));
  }
};

/** Asks again for an earlier answer. */
export const repeatQuestion = async (cli: CommandContext, command: Command, given: ParsedArgs, answer: Answer) => {
  const [declared] = await askableIn(cli, command, [answer.flag]);
  return declared === undefined
    ? [answer]
    : askFor(cli, { given, now: {}, before: new Map([[answer.flag, answer]]) }, declared);
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
  return askFor(cli, about, await cli.io.prompt.select('Choose what to enter:', choices));
};
