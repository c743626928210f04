import { type Failure, type FieldError, namesOf } from '../../core/failure.ts';
import { wrap } from '../../core/screen.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import { BACK } from '../../io/prompt/prompt.ts';
import type { Command, CommandContext } from '../command/command.ts';
import { declaredBy, type ParsedArgs } from '../command/options.ts';
import { type Answer, merged, reopened } from './answers.ts';
import { askAbout, assertAskable, repeatQuestion } from './question.ts';

/**
 * A command whose missing values are asked for. `note` gets the answers after each question, and `before` has all that were
 * given so far. `isNew` is true on the first call: the key that goes back is explained once.
 */
export type PromptedCommand = {
  readonly command: Command;
  readonly open: () => CommandContext;
  readonly given: ParsedArgs;
  readonly note: (answers: readonly Answer[]) => void;
  readonly before: ReadonlyMap<string, Answer>;
  readonly isNew: () => boolean;
};

export const withAnswers = (given: ParsedArgs, answers: readonly Answer[]): ParsedArgs => ({
  ...given,
  ...Object.fromEntries(answers.map(({ name, value }) => [name, value])),
});

/** Prints why an answer was wrong, before the question is asked again. Nothing was sent. */
const printProblems = async (cli: CommandContext, { code, sentence, details }: Failure): Promise<void> => {
  const { columns, unicode } = cli.talkStyle;
  const printLine = (text: string) => cli.io.stderr.write(`${wrap(escapeText(text), columns, '  ', unicode)}\n`);
  const ofService = (text: string) => (details.http === undefined ? text : inSentence(text));
  if (code === 'rejected') await printLine(`${sentence} Nothing was created.`);
  for (const { option, field, message, isMissing } of details.errors ?? []) {
    if (!isMissing) await printLine(`${option ?? ofService(field)}: ${ofService(message)}`);
  }
};

/** The names in each error, sorted by the order of the questions. The sort is stable. */
const inOrder = (command: Command, errors: readonly FieldError[]): readonly (readonly string[])[] => {
  const all = new Map(errors.map((error) => [namesOf(error).join(' '), namesOf(error)]));
  const placeOf = (names: readonly string[]) => declaredBy(command, names)[0]?.order ?? 0;
  return [...all.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
};

/** The earlier answers, with a mark at those that the failure is about. */
const withRefusals = (before: ReadonlyMap<string, Answer>, errors: readonly FieldError[]): typeof before => {
  const refused = errors.filter(({ isMissing }) => !isMissing).flatMap(namesOf);
  const marked = [...before].map(([flag, answer]) =>
    refused.includes(flag) ? ([flag, { ...answer, isRefused: true }] as const) : ([flag, answer] as const),
  );
  return new Map(marked);
};

/** Removes the answers to the last question that was asked. False if there was none. */
const hasLeft = (groups: (readonly Answer[])[]): boolean => {
  let left = groups.pop();
  while (left?.length === 0) left = groups.pop();
  return left !== undefined;
};

/**
 * Asks one question after the other. Each answer is known to the next question. Esc asks the question before it again; at
 * the first one it resolves with `BACK`. `known` are the answers of earlier runs.
 */
const answersTo = async (asking: PromptedCommand, known: readonly Answer[], failure: Failure) => {
  const { command, open, given, note, before, isNew } = asking;
  const { errors = [] } = failure.details;
  await assertAskable(open(), command, failure);
  await printProblems(open(), failure);
  const questions = inOrder(command, errors);
  const canGoBack = known.length > 0 || questions.length > 1;
  const groups: (readonly Answer[])[] = [];
  for (;;) {
    const names = questions[groups.length];
    if (names === undefined) return groups.flat();
    const now = withAnswers(given, [...known, ...groups.flat()]);
    // The question before may have given this value too.
    const isAnswered = groups.flat().some(({ flag }) => names.includes(flag));
    const ask = async () => (isAnswered ? [] : askAbout(open(), command, now, names, withRefusals(before, errors)));
    const found = await open().io.prompt.untilBack(ask, canGoBack && isNew());
    if (found !== BACK) groups.push(found);
    else if (!hasLeft(groups)) return BACK;
    note(merged(known, groups.flat()));
  }
};

/** Whether an answer depends on another that has changed. */
const isStale = (command: Command, answer: Answer, before: readonly Answer[], now: readonly Answer[]): boolean => {
  const valueIn = (answers: readonly Answer[], flag: string) => String(answers.find((one) => one.flag === flag)?.value);
  const follows = declaredBy(command, [answer.flag])[0]?.follows ?? [];
  return follows.some((flag) => valueIn(before, flag) !== valueIn(now, flag));
};

/**
 * Asks the last question again. Esc asks the one before, and then this one once more: it may have no other way to be asked.
 * At the first question Esc does nothing.
 */
export const answersBefore = async (
  asking: PromptedCommand,
  answers: readonly Answer[],
): Promise<readonly Answer[]> => {
  const { command, open, given, note } = asking;
  const last = answers.at(-1);
  if (last === undefined) return [];
  const { others, asked } = reopened(command, answers, last);
  for (let kept: readonly Answer[] = others; ; kept = await answersBefore(asking, kept)) {
    if (isStale(command, asked, others, kept)) return kept;
    note(kept);
    const earlier = kept;
    const ask = () => repeatQuestion(open(), command, withAnswers(given, earlier), asked);
    const found = await open().io.prompt.untilBack(ask);
    if (found !== BACK) return [...kept, ...found];
  }
};

/** The answer that the command itself got before it failed. */
const chosenIn = ({ details: { choice } }: Failure): readonly Answer[] => (choice ? [choice] : []);

/** Asks about a failure and returns all answers. */
export const answersAfter = async (asking: PromptedCommand, answers: readonly Answer[], failure: Failure) => {
  const known = merged(answers, chosenIn(failure));
  const found = await answersTo(asking, known, failure);
  return found === BACK ? answersBefore(asking, known) : merged(known, found);
};
