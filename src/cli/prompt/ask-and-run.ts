import { amended, Failure, type FieldError, isFailure, namesOf } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { once } from '../../core/once.ts';
import { wrap } from '../../core/screen.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { Command, CommandContext, EffectDoors } from '../command/command.ts';
import { declaredBy, type ParsedArgs } from '../command/options.ts';
import { repeated } from '../print/next-command.ts';
import {
  type Answer,
  answerParts,
  askAbout,
  askAfterNo,
  assertAskable,
  lineWithoutQuestions,
  type NextAction,
  needsReview,
  repeatQuestion,
  reviewAnswers,
  withoutDependent,
} from './question.ts';

/** Whether the user can fix a failure: only missing values, or wrong answers to the options in `answered`. */
export const isAskable = (error: unknown, answered: readonly string[] = []): error is Failure => {
  if (!isFailure(error, 'invalid_input')) return false;
  const { errors = [] } = error.details;
  return errors.length > 0 && errors.every(({ isMissing, option = '' }) => isMissing || answered.includes(option));
};

/** The options of a command, the failure of the run with them, and the lines already printed. */
type Attempt = { readonly given: ParsedArgs; readonly failure: Failure; readonly printed: Set<string> };

/** A command whose missing values are asked for. */
type PromptedCommand = { readonly command: Command; readonly open: () => CommandContext; readonly given: ParsedArgs };

const withAnswers = (given: ParsedArgs, answers: readonly Answer[]): ParsedArgs => ({
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

/** Asks one question after the other. Each answer is known to the next question. */
const answersTo = async ({ command, open, given }: PromptedCommand, failure: Failure): Promise<readonly Answer[]> => {
  const { errors = [] } = failure.details;
  await assertAskable(open(), command, failure);
  await printProblems(open(), failure);
  const answers: Answer[] = [];
  for (const names of inOrder(command, errors))
    answers.push(...(await askAbout(open(), command, withAnswers(given, answers), names)));
  return answers;
};

/** Replaces earlier answers with newer ones. New answers come last. */
const merged = (before: readonly Answer[], now: readonly Answer[]): readonly Answer[] => [
  ...before.map((earlier) => now.find(({ name }) => name === earlier.name) ?? earlier),
  ...now.filter(({ name }) => !before.some((earlier) => earlier.name === name)),
];

/** The answer that the command itself got before it failed. */
const chosenIn = ({ details: { choice } }: Failure): readonly Answer[] => (choice ? [choice] : []);

/** The end of a run, unless it fails for good. */
type RunEnd =
  | { readonly as: 'done' }
  /** All values are known; nothing was sent yet. */
  | { readonly as: 'ready' }
  | { readonly as: 'wrong' | 'declined'; readonly failure: Failure };

const endOf = (error: unknown, command: Command, answers: readonly Answer[]): RunEnd => {
  const answered = answers.map(({ flag }) => flag);
  if (isAskable(error, answered)) return { as: 'wrong', failure: error };
  if (canBeCorrected(error, command, answered)) return { as: 'wrong', failure: error as Failure };
  if (command.previewsChanges && isFailure(error, 'declined')) return { as: 'declined', failure: error };
  throw error;
};

/** Runs a command with the answers so far. `isSeen`: the user has reviewed the answers, so the command may send. */
const runWith = async (
  { command, open, given }: PromptedCommand,
  answers: readonly Answer[],
  printed: Set<string>,
  isReviewed: boolean,
): Promise<RunEnd> => {
  const cli = open();
  const { parts, options } = cli.typed;
  const answered = { options, parts: [...parts, ...answerParts(answers)] };
  const title = cli.talkStyle.colour.dim('Equivalent command:');
  const printEquivalent = once(() => cli.printNote(`${title}\n  ${lineWithoutQuestions(answered)}`));
  let isReady = false;
  const stopForReview = async (): Promise<never> => {
    isReady = true;
    throw new Failure('interrupted', 'the answers are looked over first');
  };
  const before = isReviewed || !needsReview(cli, command, answers) ? printEquivalent : stopForReview;
  try {
    await command.run(contextForRerun(cli, { args: repeated(answered), printed, before }), withAnswers(given, answers));
    if (!isReady) await printEquivalent();
    return { as: isReady ? 'ready' : 'done' };
  } catch (error) {
    return isReady ? { as: 'ready' } : endOf(error, command, answers);
  }
};

/** Asks about a failure and returns all answers. */
const answersAfter = async (asking: PromptedCommand, answers: readonly Answer[], failure: Failure) => {
  const known = merged(answers, chosenIn(failure));
  return merged(known, await answersTo({ ...asking, given: withAnswers(asking.given, known) }, failure));
};

/** Asks what to do after a run. Returns the new answers, or `undefined` to continue with the same ones. */
const nextAnswers = async (
  asking: PromptedCommand,
  answers: readonly Answer[],
  end: Exclude<RunEnd, { as: 'done' }>,
) => {
  const { command, open, given } = asking;
  if (end.as === 'wrong') return answersAfter(asking, answers, end.failure);
  const nextAction: NextAction = await (end.as === 'ready' ? reviewAnswers : askAfterNo)(open(), command, answers);
  if (nextAction.as === 'go on') return undefined;
  if (nextAction.as === 'stop') throw end.as === 'declined' ? end.failure : stopped();
  const kept = withoutDependent(command, answers, nextAction.answer);
  const others = kept.filter((one) => one !== nextAction.answer);
  const newAnswers = await repeatQuestion(open(), command, withAnswers(given, others), nextAction.answer);
  return kept.flatMap((one) => (one === nextAction.answer ? newAnswers : [one]));
};

const stopped = (): Failure => new Failure('declined', 'not confirmed; nothing was sent');

/**
 * Asks for missing values and runs the command again, until none is missing. The user reviews many answers before
 * anything is sent. Prints the equivalent command. Throws if a value cannot be asked for.
 */
export const askAndRun = async (command: Command, open: () => CommandContext, { given, failure, printed }: Attempt) => {
  const asking: PromptedCommand = { command, open, given };
  const runQuestions = (questions: Promise<readonly Answer[] | undefined>) =>
    statingNothingSent(command, failure, questions);
  let answers = (await runQuestions(answersAfter(asking, [], failure))) ?? [];
  let isReviewed = false;
  for (;;) {
    const end = await runWith(asking, answers, printed, isReviewed);
    if (end.as === 'done') return;
    const next = await runQuestions(nextAnswers(asking, answers, end));
    // Answers to a refused value need no second review; all others were reviewed.
    isReviewed = next === undefined || (isReviewed && end.as === 'wrong');
    answers = next ?? answers;
  }
};

/** Whether the service refused only answers from the terminal and created nothing. The user can correct those. */
const canBeCorrected = (error: unknown, { isCorrectable }: Command, answered: readonly string[]): boolean => {
  if (!isFailure(error, 'rejected') || !isCorrectable) return false;
  const { status, http, errors = [], data, isUnclear } = error.details;
  const isOfOperation = isJsonObject(data) && 'tid_hash' in data && data['tid_hash'] !== null;
  const isPlain = status === 'validation_error' && http === 400 && !isUnclear && !isOfOperation;
  return isPlain && errors.length > 0 && errors.every(({ option = '' }) => answered.includes(option));
};

/** Whether the command continues an earlier operation. That one may have sent something before. */
const isOfOperation = ({ words }: Command, { details }: Failure): boolean =>
  words.at(-1) === 'resume' || (isJsonObject(details.data) && WIRE_ID in details.data);

const interruptedOperation = (broken: Failure, { details }: Failure): Failure =>
  new Failure('interrupted', broken.message, {
    ...broken.details,
    data: broken.details.data ?? details.data,
    hint: broken.details.hint ?? 'Nothing was sent now. The earlier operation is unchanged.',
    next: broken.details.next ?? details.next,
    cause: broken,
  });

/** Runs questions. If the user interrupts them, the failure states that nothing was sent. */
const statingNothingSent = <T>(command: Command, failure: Failure, questions: Promise<T>): Promise<T> => {
  const state = (broken: Failure): Failure => {
    if (isOfOperation(command, failure)) return interruptedOperation(broken, failure);
    const message = `interrupted; nothing was ${command.calls?.length ? 'sent' : 'done'}`;
    return new Failure('interrupted', message, {
      ...broken.details,
      hint: broken.details.hint ?? message,
      cause: broken,
    });
  };
  return questions.catch(amended(state, 'interrupted'));
};

/** The parts of a context for another run of a command. */
type Rerun = {
  readonly args: readonly string[];
  readonly printed: Set<string>;
  /** Runs before anything is sent, asked or printed. May throw to stop the command. */
  readonly before: () => Promise<void>;
};

/** The same context, but it prints no line twice, and each effect runs `before` first. */
const contextForRerun = (cli: CommandContext, { args, printed, before }: Rerun): CommandContext => {
  const first =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await before();
      return work(...args);
    };
  // Every effect of the command, so that nothing happens before the review.
  const doors: EffectDoors = {
    client: first(cli.client),
    service: first(cli.service),
    confirm: first(cli.confirm),
    printResult: first(cli.printResult),
    printCommitted: first(cli.printCommitted),
  };
  return {
    ...cli,
    ...doors,
    equivalentArgs: args,
    printNote: async (text) => {
      if (printed.has(text)) return;
      printed.add(text);
      await cli.printNote(text);
    },
  };
};
