import { commandLine } from '../../core/next.ts';
import { escapeText } from '../../core/text.ts';
import type { Choice } from '../../io/prompt/prompt.ts';
import { GLOBAL_OPTIONS, isDryRun, type Part } from '../argv/command-line.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { declaredBy, type Option, type ParsedArgs } from '../command/options.ts';
import { isLeftOut, repeated, type TypedLine, withSecretWords } from '../print/next-command.ts';
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
  /** A check or the service refused the answer. */
  readonly isRefused?: true;
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

/** An answer as parts of a command line. */
const partsOf = ({ flag, value: answer }: Answer): readonly Part[] => {
  const values = typeof answer === 'object' ? answer : answer === false ? [] : [answer];
  return values.map((one): Part => {
    if (!flag.startsWith('--')) return { kind: 'word', text: String(one) };
    return { kind: 'option', flag, value: one === true ? undefined : String(one), isInline: false };
  });
};

/** The flag of each part, or the name of the argument that it gives. */
const flagsOf = ({ words, arguments: all = [] }: Command, parts: readonly Part[]): readonly (string | undefined)[] => {
  let at = -words.length;
  return parts.map((part) => {
    if (part.kind === 'option') return part.flag;
    return part.kind === 'word' ? all[Math.min(at++, all.length - 1)]?.name : undefined;
  });
};

/** The place of an answer: arguments, options, the key, its password, the service, what else is implied, --yes. */
const rankOf = ({ options = [] }: Command, { flag }: Answer, isImplied: boolean): number => {
  if (!flag.startsWith('--')) return 0;
  const all: readonly Option[] = [...options, ...GLOBAL_OPTIONS];
  const option = all.find((each) => each.flag === flag);
  if (option?.environment) return option.environment === 'key' ? 2 : 3;
  if (option?.isOfService) return 4;
  if (!isImplied) return 1;
  return option?.value === undefined ? 6 : 5;
};

/**
 * A command line with the answers and the implied options. An answer replaces what was typed. All others follow it, in one
 * order for all commands.
 */
export const withAnswerParts = (
  command: Command,
  parts: readonly Part[],
  answers: readonly Answer[],
  implied: readonly Answer[] = [],
): readonly Part[] => {
  const flags = flagsOf(command, parts);
  const replaced = parts.flatMap((part, at) => {
    const answer = answers.find(({ flag }) => flag === flags[at]);
    if (answer === undefined) return [part];
    return flags.indexOf(answer.flag) === at ? partsOf(answer) : [];
  });
  const isAdded = ({ flag }: Answer): boolean => !flags.includes(flag);
  const isAnswered = ({ flag }: Answer): boolean => answers.some((answer) => answer.flag === flag);
  const added = [
    ...answers.filter(isAdded).map((answer) => ({ answer, rank: rankOf(command, answer, false) })),
    ...implied
      .filter((answer) => isAdded(answer) && !isAnswered(answer))
      .map((answer) => ({ answer, rank: rankOf(command, answer, true) })),
  ];
  return withSecretWords(command, [
    ...replaced,
    ...added.toSorted((one, other) => one.rank - other.rank).flatMap(({ answer }) => partsOf(answer)),
  ]);
};

/** What the command line gives beside the answers. Nobody was asked for it, and it can be changed as an answer can. */
const typedBeside = (command: Command, given: ParsedArgs, answers: readonly Answer[]): readonly Answer[] => {
  const { options = [], arguments: all = [] } = command;
  return declaredBy(command, [...all.map(({ name }) => name), ...options.map(({ flag }) => flag)]).flatMap(
    (declared) => {
      const { flag, name, isHidden } = declared;
      const value = given[name];
      if (value === undefined || answers.some((answer) => answer.flag === flag)) return [];
      const isOut = (one: unknown) => typeof one === 'string' && isLeftOut(declared, one);
      const isNotShown = isHidden === true || [value].flat().some(isOut);
      return [{ flag, name, value, isHidden: isNotShown }];
    },
  );
};

/**
 * The command line that gives the same result without questions, quoted for a shell. Secrets become shell variables.
 */
export const lineWithoutQuestions = (line: Pick<TypedLine, 'parts' | 'options'>): string => {
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

const inWords = (command: Command, answer: Answer, isTyped: boolean): string => {
  const [declared] = declaredBy(command, [answer.flag]);
  const { question, description } = declared ?? {};
  // The description of a switch, or of an option that is never asked for, is too long for a label.
  const isPlain = isTyped || typeof answer.value === 'boolean';
  const label = question ?? (isPlain ? undefined : description) ?? answer.flag;
  const origin = isTyped ? ' (given on the command line)' : '';
  // The part of a question after a colon is about its form.
  return escapeText(`${label.replace(/:.*|\?$/, '')}: ${printedAnswer(answer)}${origin}`);
};

/** The choice of the user after the last question. */
export type NextAction =
  | { readonly as: 'go on' }
  | { readonly as: 'stop' }
  | { readonly as: 'change'; readonly answer: Answer };

const changes = (command: Command, given: ParsedArgs, answers: readonly Answer[]): readonly Choice<NextAction>[] => {
  const asChoice =
    (isTyped: boolean) =>
    (answer: Answer): Choice<NextAction> => ({
      name: inWords(command, answer, isTyped),
      value: { as: 'change', answer },
      alias: answer.flag,
    });
  return [...answers.map(asChoice(false)), ...typedBeside(command, given, answers).map(asChoice(true))];
};

const STOP: Choice<NextAction> = { name: 'Stop: nothing is sent', value: { as: 'stop' } };

/** The profile, and the key that bursar chose itself. */
const alsoUsed = async (cli: CommandContext, given: ParsedArgs, answers: readonly Answer[]): Promise<string> => {
  const selection = await cli.selection();
  const service = serviceInWords(serviceOf(selection, kindOf(selection)));
  const place = selection.as === 'unnamed' ? `service ${selection.baseUrl.value}` : `profile ${service}`;
  const isListed = given['key'] !== undefined || answers.some(({ flag }) => flag === '--key');
  const key = isListed ? undefined : cli.impliedOptions.get('--key');
  return escapeText([place, key && `key ${key}`].filter(Boolean).join(', '));
};

/** Shows all values, with the profile and the key. The user continues, changes one value, or stops. */
export const reviewAnswers = async (
  cli: CommandContext,
  command: Command,
  given: ParsedArgs,
  answers: readonly Answer[],
): Promise<NextAction> => {
  const proceed: Choice<NextAction> = { name: 'Go on', value: { as: 'go on' } };
  const question = `Review your answers (${await alsoUsed(cli, given, answers)}):`;
  return cli.io.prompt.select(question, [proceed, ...changes(command, given, answers), STOP]);
};

/** Asks after a no: nothing was sent, and one value can be changed. */
export const askAfterNo = (
  { io }: CommandContext,
  command: Command,
  given: ParsedArgs,
  answers: readonly Answer[],
): Promise<NextAction> =>
  io.prompt.select('Nothing was sent. Stop, or change an answer?', [STOP, ...changes(command, given, answers)]);

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
