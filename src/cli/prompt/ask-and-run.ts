import { amended, Failure, isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { variable } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { BACK } from '../../io/prompt/prompt.ts';
import type { Command, CommandContext } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';
import { repeated, variableOf } from '../print/next-command.ts';
import { printTargetService, printTitled } from '../print/steps.ts';
import {
  type Answer,
  askAfterNo,
  lineWithoutQuestions,
  merged,
  type NextAction,
  needsReview,
  reopened,
  reviewAnswers,
  withAnswerParts,
} from './answers.ts';
import { answersAfter, answersBefore, type PromptedCommand, withAnswers } from './dialogue.ts';
import { repeatQuestion } from './question.ts';
import { contextForRerun } from './rerun.ts';

/** Whether the user can fix a failure: only missing values, or wrong answers to the options in `answered`. */
export const isAskable = (error: unknown, answered: readonly string[] = []): error is Failure => {
  if (!isFailure(error, 'invalid_input')) return false;
  const { errors = [] } = error.details;
  return errors.length > 0 && errors.every(({ isMissing, option = '' }) => isMissing || answered.includes(option));
};

/** The options of a command, the failure of the run with them or corrections of them, and the lines already printed. */
type Attempt = {
  readonly given: ParsedArgs;
  readonly failure?: Failure;
  readonly answers?: readonly Answer[];
  readonly printed: Set<string>;
};

/** The end of a run, unless it fails for good. */
type RunEnd =
  | { readonly as: 'done' }
  /** All values are known; nothing was sent yet. */
  | { readonly as: 'ready' }
  | { readonly as: 'wrong' | 'declined'; readonly failure: Failure };

/** How a run ends that the user can continue; `undefined` if it fails for good. */
const endOf = (error: unknown, command: Command, answers: readonly Answer[]): RunEnd | undefined => {
  const answered = answers.map(({ flag }) => flag);
  if (isAskable(error, answered)) return { as: 'wrong', failure: error };
  if (canBeCorrected(error, command, answered)) return { as: 'wrong', failure: error as Failure };
  if (command.previewsChanges && isFailure(error, 'declined')) return { as: 'declined', failure: error };
  return undefined;
};

/** Runs a command with the answers so far. `isReviewed`: the user has reviewed the answers, so the command may send. */
const runWith = async (
  { command, open, given }: PromptedCommand,
  answers: readonly Answer[],
  printed: Set<string>,
  isReviewed: boolean,
): Promise<RunEnd> => {
  const cli = open();
  const { parts, options } = cli.typed;
  const answered = { options, parts: withAnswerParts(command, parts, answers) };
  let isReady = false;
  const stopForReview = async (): Promise<never> => {
    isReady = true;
    throw new Failure('interrupted', 'the answers are looked over first');
  };
  const before = isReviewed || !needsReview(cli, command, answers) ? async () => undefined : stopForReview;
  const { context, printNotes } = contextForRerun(cli, { command, args: repeated(answered), printed, before });
  try {
    await command.run(context, withAnswers(given, answers));
    if (!isReady) await printNotes();
    return { as: isReady ? 'ready' : 'done' };
  } catch (error) {
    if (isReady) return { as: 'ready' };
    const end = endOf(error, command, answers);
    if (end === undefined) {
      await printNotes();
      throw error;
    }
    return end;
  }
};

/** Asks what to do after a run. Returns the new answers, or `undefined` to continue with the same ones. */
const nextAnswers = async (
  asking: PromptedCommand,
  answers: readonly Answer[],
  end: Exclude<RunEnd, { as: 'done' }>,
) => {
  const { command, open, given } = asking;
  if (end.as === 'wrong') return answersAfter(asking, answers, end.failure);
  const { prompt } = open().io;
  const choose = () =>
    end.as === 'ready' ? reviewAnswers(open(), command, given, answers) : askAfterNo(open(), command, given, answers);
  for (;;) {
    const nextAction = await prompt.untilBack<NextAction>(choose);
    if (nextAction === BACK) return answersBefore(asking, answers);
    if (nextAction.as === 'go on') return undefined;
    if (nextAction.as === 'stop') throw end.as === 'declined' ? end.failure : stopped();
    const { kept, others, asked } = reopened(command, answers, nextAction.answer);
    const change = () => repeatQuestion(open(), command, withAnswers(given, others), asked);
    const changed = await prompt.untilBack(change);
    // Esc leaves the value as it was.
    if (changed !== BACK) return merged(kept, changed);
  }
};

const stopped = (): Failure => new Failure('declined', 'not confirmed; nothing was sent');

/**
 * Asks for missing values and runs the command again, until none is missing. The user reviews many answers before
 * anything is sent. Prints the equivalent command. Throws if a value cannot be asked for.
 */
export const askAndRun = async (command: Command, open: () => CommandContext, attempt: Attempt) => {
  const { given, failure, printed } = attempt;
  let answers = attempt.answers ?? [];
  let [isComplete, isReviewed] = [false, false];
  const before = new Map<string, Answer>();
  const note = (found: readonly Answer[]) => {
    answers = found;
    for (const each of found) before.set(each.flag, each);
    isComplete = false;
  };
  let calls = 0;
  const isNew = () => {
    calls += 1;
    return calls === 1;
  };
  const asking: PromptedCommand = { command, open, given, note, before, isNew };
  const runQuestions = <T>(questions: Promise<T>): Promise<T> => statingNothingSent(command, failure, questions);
  if (command.calls?.length) await printTargetService(open());
  try {
    note(failure ? await runQuestions(answersAfter(asking, answers, failure)) : answers);
    for (;;) {
      isComplete = true;
      const end = await runWith(asking, answers, printed, isReviewed);
      if (end.as === 'done') return;
      isComplete = end.as !== 'wrong';
      const next = await runQuestions(nextAnswers(asking, answers, end));
      // Answers to a refused value need no second review; all others were reviewed.
      isReviewed = next === undefined || (isReviewed && end.as === 'wrong');
      note(next ?? answers);
    }
  } catch (error) {
    if (isStopped(error)) isComplete = false;
    throw error;
  } finally {
    await printEquivalent(open(), command, answers, titleOf(isComplete));
  }
};

/** Whether the user stopped a command by a no or Ctrl-C. Its line without questions is not equivalent to what happened. */
const isStopped = (error: unknown): boolean =>
  isFailure(error) && (error.details.isDeclined === true || ['declined', 'interrupted'].includes(error.code));

const titleOf = (isComplete: boolean): string => (isComplete ? 'Equivalent command' : 'Command so far');

/** Runs a command that asks its own questions. At the end it prints the line without questions, by the answers of each flag. */
export const withEquivalent = async (
  cli: CommandContext,
  command: Command,
  answersSoFar: (isComplete: boolean) => ReadonlyMap<string, Answer['value']>,
  work: () => Promise<void>,
): Promise<void> => {
  let isComplete = true;
  try {
    await work();
  } catch (error) {
    isComplete = !isStopped(error);
    throw error;
  } finally {
    const answers = Array.from(answersSoFar(isComplete), ([flag, value]) => ({ flag, name: flag.slice(2), value }));
    await printEquivalent(cli, command, answers, titleOf(isComplete));
  }
};

/** Prints the command line that needs no questions. After an interrupt it has the answers so far. */
const printEquivalent = async (
  cli: CommandContext,
  command: Command,
  answers: readonly Answer[],
  title: string,
): Promise<void> => {
  if (answers.length === 0) return;
  const { parts, options } = cli.typed;
  const implied = Array.from(
    cli.impliedOptions,
    ([flag, value = true]): Answer => ({ flag, name: flag.slice(2), value }),
  );
  const line = lineWithoutQuestions({ options, parts: withAnswerParts(command, parts, answers, implied) });
  await printTitled(cli, title, line);
  const meaningOf = (name: string): string | undefined => {
    const { description = '' } = options.find(({ flag }) => variableOf(flag) === variable(name)) ?? {};
    // A description is a sentence of its own in the help.
    const [first = ''] = description.split(/[.;(]/);
    return VARIABLES[name] ?? first.trim().replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  };
  const unset = [...line.matchAll(/"\$([A-Z_]+)"/g)].map(([, name = '']) => [name, meaningOf(name)].filter(Boolean));
  if (unset.length > 0) await cli.printNote(`Set first: ${unset.map((each) => each.join(', ')).join('; ')}.`);
};

/** What the shell variables of an equivalent command are. */
const VARIABLES: Readonly<Record<string, string>> = {
  INTENT: 'a name of your choice for this operation',
  PASSWORD_FILE: 'a file with the password of the key',
  CARD_TOKEN: 'the token of the card',
  API_KEY_FILE: 'a file with the API key, which only you can read',
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
const isOfOperation = ({ words }: Command, failure: Failure): boolean =>
  words.at(-1) === 'resume' || (isJsonObject(failure.details.data) && WIRE_ID in failure.details.data);

const interruptedOperation = (broken: Failure, { details }: Failure): Failure =>
  new Failure('interrupted', broken.message, {
    ...broken.details,
    data: broken.details.data ?? details.data,
    hint: broken.details.hint ?? 'Nothing was sent now. The earlier operation is unchanged.',
    next: broken.details.next ?? details.next,
    cause: broken,
  });

/** Runs questions. If the user interrupts them, the failure states that nothing was sent. */
const statingNothingSent = <T>(command: Command, failure: Failure | undefined, questions: Promise<T>): Promise<T> => {
  const state = (broken: Failure): Failure => {
    if (failure && isOfOperation(command, failure)) return interruptedOperation(broken, failure);
    const message = `interrupted; nothing was ${command.calls?.length ? 'sent' : 'done'}`;
    return new Failure('interrupted', message, {
      ...broken.details,
      hint: broken.details.hint ?? message,
      cause: broken,
    });
  };
  return questions.catch(amended(state, 'interrupted'));
};
