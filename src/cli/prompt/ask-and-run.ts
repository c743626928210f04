import { escapeText } from '../../core/escape.ts';
import { Failure, type FieldError, isFailure, namesOf } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { once } from '../../core/once.ts';
import { inSentence } from '../../core/remote-text.ts';
import { wrap } from '../../core/wrap.ts';
import type { Command } from '../command/command.ts';
import { declaredBy, type ParsedArgs } from '../command/options.ts';
import type { CommandContext, EffectDoors } from '../context/context.ts';
import { repeated } from '../print/next-command.ts';
import {
  type Asked,
  answerParts,
  askAfterNo,
  isLookedOver,
  lineWithoutQuestions,
  lookOver,
  type NextAction,
  withoutFollowing,
} from './answers.ts';
import { askAbout, askAnew, beyondAsking } from './question.ts';

/**
 * Whether a command ended, with nothing done, only because something was not given, or because of the answers to these
 * options: the user can be asked for either.
 */
export const isAskable = (error: unknown, answered: readonly string[] = []): error is Failure => {
  if (!isFailure(error, 'invalid_input')) return false;
  const { errors = [] } = error.details;
  const can = ({ isMissing, option = '' }: (typeof errors)[number]) => isMissing === true || answered.includes(option);
  return errors.length > 0 && errors.every(can);
};

/** What a command was called with, and why that was not enough. */
type Attempt = { readonly given: ParsedArgs; readonly failure: Failure; readonly said: Set<string> };

/** A command that is asked about. */
type Asking = { readonly leaf: Command; readonly open: () => CommandContext; readonly given: ParsedArgs };

const withAnswers = (given: ParsedArgs, asked: readonly Asked[]): ParsedArgs => ({
  ...given,
  ...Object.fromEntries(asked.map(({ name, value }) => [name, value])),
});

/** A wrong answer is asked for again with the reason: what is wrong here is known before anything is sent. */
const sayWhatIsWrong = async (cli: CommandContext, { code, sentence, details }: Failure): Promise<void> => {
  const { columns, unicode } = cli.talkStyle;
  const say = (text: string) => cli.io.stderr.write(`${wrap(escapeText(text), columns, '  ', unicode)}\n`);
  const ofService = (text: string) => (details.http === undefined ? text : inSentence(text));
  if (code === 'rejected') await say(`${sentence} Nothing was created.`);
  for (const { option, field, message, isMissing } of details.errors ?? []) {
    if (!isMissing) await say(`${option ?? ofService(field)}: ${ofService(message)}`);
  }
};

/** Nobody is asked in vain: what cannot be asked for is told alone, for all else will be asked once it is there. */
const assertAskable = async (cli: CommandContext, command: Command, failure: Failure): Promise<void> => {
  const { errors = [] } = failure.details;
  const beyond = await Promise.all(errors.map((error) => beyondAsking(cli, command, error)));
  const cannot = beyond.filter((error) => error !== undefined);
  if (cannot.length === 0) return;
  throw new Failure(failure.code, failure.sentence, { ...failure.details, errors: cannot, cause: failure });
};

/** The names in each error, in the order of asking. What says nothing of its place stays where it is, in between. */
const inOrder = (command: Command, errors: readonly FieldError[]): readonly (readonly string[])[] => {
  const all = new Map(errors.map((error) => [namesOf(error).join(' '), namesOf(error)]));
  const placeOf = (names: readonly string[]) => declaredBy(command, names)[0]?.order ?? 0;
  return [...all.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
};

/** Asks for one after the other: what was answered decides what comes into question for the next. */
const answersTo = async ({ leaf: command, open, given }: Asking, failure: Failure): Promise<readonly Asked[]> => {
  const { errors = [] } = failure.details;
  await assertAskable(open(), command, failure);
  await sayWhatIsWrong(open(), failure);
  const asked: Asked[] = [];
  for (const names of inOrder(command, errors))
    asked.push(...(await askAbout(open(), command, withAnswers(given, asked), names)));
  return asked;
};

/** The newest answer to each, in the order of the questions. */
const merged = (before: readonly Asked[], now: readonly Asked[]): readonly Asked[] => [
  ...before.map((earlier) => now.find(({ name }) => name === earlier.name) ?? earlier),
  ...now.filter(({ name }) => !before.some((earlier) => earlier.name === name)),
];

/** What the command itself has asked before it found that something else is missing. */
const chosenIn = ({ details: { choice } }: Failure): readonly Asked[] => (choice ? [choice] : []);

/** How a run with the answers so far ended, where it did not fail for good. */
type End =
  | { readonly as: 'done' }
  /** All is answered, and nothing was done. */
  | { readonly as: 'ready' }
  | { readonly as: 'wrong'; readonly failure: Failure }
  | { readonly as: 'declined'; readonly failure: Failure };

const endOf = (error: unknown, command: Command, asked: readonly Asked[]): End => {
  const answered = asked.map(({ flag }) => flag);
  if (isAskable(error, answered)) return { as: 'wrong', failure: error };
  if (canBeCorrected(error, command, answered)) return { as: 'wrong', failure: error as Failure };
  if (command.previewsChanges && isFailure(error, 'declined')) return { as: 'declined', failure: error };
  throw error;
};

/** Runs a command with the answers so far. `isSeen`: they were looked over, and it may do what it is for. */
const runWith = async (
  { leaf: command, open, given }: Asking,
  asked: readonly Asked[],
  said: Set<string>,
  isSeen: boolean,
): Promise<End> => {
  const cli = open();
  const { parts, options } = cli.typed;
  const answered = { options, parts: [...parts, ...answerParts(asked)] };
  const title = cli.talkStyle.colour.dim('The same without questions:');
  const tell = once(() => cli.say(`${title}\n  ${lineWithoutQuestions(answered)}`));
  let isReady = false;
  const shut = async (): Promise<never> => {
    isReady = true;
    throw new Failure('interrupted', 'the answers are looked over first');
  };
  const before = isSeen || !isLookedOver(cli, command, asked) ? tell : shut;
  try {
    await command.run(contextForRerun(cli, { args: repeated(answered), said, before }), withAnswers(given, asked));
    if (!isReady) await tell();
    return { as: isReady ? 'ready' : 'done' };
  } catch (error) {
    return isReady ? { as: 'ready' } : endOf(error, command, asked);
  }
};

/** All that is answered once a failure was asked about. */
const answersAfter = async (asking: Asking, asked: readonly Asked[], failure: Failure): Promise<readonly Asked[]> => {
  const known = merged(asked, chosenIn(failure));
  return merged(known, await answersTo({ ...asking, given: withAnswers(asking.given, known) }, failure));
};

/** What is wished once a run has ended so; the answers that come of it, or `undefined` where it goes on with these. */
const nextAnswers = async (asking: Asking, asked: readonly Asked[], end: Exclude<End, { as: 'done' }>) => {
  const { leaf: command, open, given } = asking;
  if (end.as === 'wrong') return answersAfter(asking, asked, end.failure);
  const nextAction: NextAction = await (end.as === 'ready' ? lookOver : askAfterNo)(open(), command, asked);
  if (nextAction.as === 'go on') return undefined;
  if (nextAction.as === 'stop') throw end.as === 'declined' ? end.failure : stopped();
  const kept = withoutFollowing(command, asked, nextAction.it);
  const others = kept.filter((one) => one !== nextAction.it);
  const anew = await askAnew(open(), command, withAnswers(given, others), nextAction.it);
  return kept.flatMap((one) => (one === nextAction.it ? anew : [one]));
};

const stopped = (): Failure => new Failure('declined', 'not confirmed; nothing was sent');

/**
 * Asks for what a command lacks and runs it again, until it has all. Many answers are looked over before anything is
 * sent, and one can be changed. Then it says the command line that would have done the same. Throws what cannot be asked for.
 */
export const askAndRun = async (
  command: Command,
  open: () => CommandContext,
  { given, failure, said }: Attempt,
): Promise<void> => {
  const asking: Asking = { leaf: command, open, given };
  const asked = (questions: Promise<readonly Asked[] | undefined>) => sayingNothingSent(command, failure, questions);
  let answers = (await asked(answersAfter(asking, [], failure))) ?? [];
  let isSeen = false;
  for (;;) {
    const end = await runWith(asking, answers, said, isSeen);
    if (end.as === 'done') return;
    const next = await asked(nextAnswers(asking, answers, end));
    // What was refused and answered anew is all that has changed since.
    isSeen = next === undefined || (isSeen && end.as === 'wrong');
    answers = next ?? answers;
  }
};

/** Whether the service refused, with nothing created, only what was answered at the terminal: that can be answered anew. */
const canBeCorrected = (error: unknown, { isCorrectable }: Command, answered: readonly string[]): boolean => {
  if (!isFailure(error, 'rejected') || !isCorrectable) return false;
  const { status, http, errors = [], data, isUnclear } = error.details;
  const isOfOperation = isJsonObject(data) && 'tid_hash' in data && data['tid_hash'] !== null;
  const isPlain = status === 'validation_error' && http === 400 && !isUnclear && !isOfOperation;
  return isPlain && errors.length > 0 && errors.every(({ option = '' }) => answered.includes(option));
};

/** Questions about what was begun earlier: that may have been sent, whatever is not sent now. */
const isOfOperation = ({ words }: Command, { details }: Failure): boolean =>
  words.at(-1) === 'resume' || (isJsonObject(details.data) && 'movement' in details.data);

const leavingOperation = (broken: Failure, { details }: Failure): Failure =>
  new Failure('interrupted', broken.message, {
    ...broken.details,
    data: broken.details.data ?? details.data,
    hint: broken.details.hint ?? 'Nothing was sent now. What was begun earlier stands as it did.',
    next: broken.details.next ?? details.next,
    cause: broken,
  });

/** Only what names missing things is asked about: with nothing done now, and nothing done by the questions. */
const sayingNothingSent = async <T>(command: Command, failure: Failure, questions: Promise<T>): Promise<T> => {
  try {
    return await questions;
  } catch (error) {
    if (!isFailure(error, 'interrupted')) throw error;
    if (isOfOperation(command, failure)) throw leavingOperation(error, failure);
    const { calls = [] } = command;
    const says = `interrupted; nothing was ${calls.length > 0 ? 'sent' : 'done'}`;
    throw new Failure('interrupted', says, { ...error.details, hint: error.details.hint ?? says, cause: error });
  }
};

/** A context of a command that was asked about: its command line, what it said before, and what comes before its doors. */
type Rerun = {
  readonly args: readonly string[];
  readonly said: Set<string>;
  /** Done before anything is sent, asked or answered. Throws where that is not to be yet. */
  readonly before: () => Promise<void>;
};

/** The same context, that tells nothing twice and does something first before it acts. */
const contextForRerun = (cli: CommandContext, { args, said, before }: Rerun): CommandContext => {
  const first =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await before();
      return work(...args);
    };
  // Every door, so that nothing is sent, confirmed or answered before.
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
    say: async (text) => {
      if (said.has(text)) return;
      said.add(text);
      await cli.say(text);
    },
  };
};
