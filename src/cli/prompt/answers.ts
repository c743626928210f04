import { commandLine } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { isDryRun, type Part } from '../argv/command-line.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { declaredBy, type ParsedArgs, stringArg } from '../command/options.ts';
import { isLeftOut, repeated, type Typed } from '../print/next-command.ts';
import { kindOf, serviceOf } from '../profiles/selection.ts';
import { serviceInWords } from './confirming.ts';

/** An answer, and the option or argument that it gives. */
export type Answer = {
  /** With its dashes. An argument has its name in capitals. */
  readonly flag: string;
  readonly name: string;
  readonly value: string | readonly string[] | boolean;
  /** The answer is never printed. */
  readonly isHidden?: boolean;
  /** The option whose question gave this answer, if it is another. */
  readonly askedBy?: string;
};

/** The option whose question gave an answer. */
export const questionOfAnswer = ({ askedBy, flag }: Answer): string => askedBy ?? flag;

/** Replaces earlier answers with newer ones. New answers come last. */
export const merged = (before: readonly Answer[], now: readonly Answer[]): readonly Answer[] => [
  ...before.map((earlier) => now.find(({ name }) => name === earlier.name) ?? earlier),
  ...now.filter(({ name }) => !before.some((earlier) => earlier.name === name)),
];

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
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : [value].flat().join(', ');
};

const inWords = (command: Command, answer: Answer): string => {
  const [declared] = declaredBy(command, [answer.flag]);
  const label = declared?.question ?? declared?.description ?? answer.flag;
  return escapeText(`${label.replace(/\?$/, '')}: ${printedAnswer(answer)}`);
};

/** The choice of the user after the last question. */
export type NextAction =
  | { readonly as: 'go on' }
  | { readonly as: 'stop' }
  | { readonly as: 'change'; readonly answer: Answer };

const changes = (command: Command, answers: readonly Answer[]): readonly Choice<NextAction>[] =>
  answers.map((answer) => ({ name: inWords(command, answer), value: { as: 'change', answer }, alias: answer.flag }));

const STOP: Choice<NextAction> = { name: 'Stop: nothing is sent', value: { as: 'stop' } };

/** The profile, and the key that no question asked for. */
const alsoUsed = async (cli: CommandContext, given: ParsedArgs, answers: readonly Answer[]): Promise<string> => {
  const selection = await cli.selection();
  const service = serviceInWords(serviceOf(selection, kindOf(selection)));
  const place = selection.as === 'unnamed' ? `service ${selection.baseUrl.value}` : `profile ${service}`;
  const isAsked = answers.some(({ flag }) => flag === '--key');
  const key = isAsked ? undefined : (stringArg(given, 'key') ?? cli.impliedOptions.get('--key'));
  return escapeText([place, key && `key ${key}`].filter(Boolean).join(', '));
};

/** Shows all answers, with the profile and the key. The user continues, changes one answer, or stops. */
export const reviewAnswers = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  answers: readonly Answer[],
): Promise<NextAction> => {
  const proceed: Choice<NextAction> = { name: 'Go on', value: { as: 'go on' } };
  const question = `Review your answers (${await alsoUsed(cli, given, answers)}):`;
  return cli.io.prompt.select(question, [proceed, ...changes(command, answers), STOP]);
};

/** Asks after a no: nothing was sent, and one answer can be changed. */
export const askAfterNo = ({ io }: CommandContext, command: Command, answers: readonly Answer[]): Promise<NextAction> =>
  io.prompt.select('Nothing was sent. Stop, or change an answer?', [STOP, ...changes(command, answers)]);

/**
 * Prepares another question for an answer. `kept` has no answers that depend on it, `others` also lacks those that its
 * question gives.
 */
export const reopened = (command: Command, answers: readonly Answer[], answer: Answer) => {
  const question = questionOfAnswer(answer);
  const kept = answers.filter(
    ({ flag }) => !declaredBy(command, [flag])[0]?.follows?.some((each) => each === question),
  );
  const others = kept.filter((one) => questionOfAnswer(one) !== question);
  return { kept, others, asked: answers.find(({ flag }) => flag === question) ?? answer };
};
