import { escapeText } from '../../core/escape.ts';
import { Failure, type FieldError, isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { once } from '../../core/once.ts';
import type { Cli } from '../cli.ts';
import type { Leaf } from '../command.ts';
import type { Given } from '../options.ts';
import { isAskable } from './askable.ts';
import { type Asked, commandLine } from './command-line.ts';
import { inOrder } from './in-order.ts';
import { askAbout, beyondAsking } from './question.ts';

/** What a command was called with, and why that was not enough. */
type Attempt = { readonly given: Given; readonly failure: Failure; readonly said: Set<string> };

const withAnswers = (given: Given, asked: readonly Asked[]): Given => ({
  ...given,
  ...Object.fromEntries(asked.map(({ name, value }) => [name, value])),
});

/** The same context, that tells the command line before anything is done with it, and nothing twice. */
const telling = (cli: Cli, said: Set<string>, line: string, tell: () => Promise<void>): Cli => {
  const first =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await tell();
      return work(...args);
    };
  return {
    ...cli,
    askedLine: line,
    client: first(cli.client),
    service: first(cli.service),
    confirm: first(cli.confirm),
    answer: first(cli.answer),
    report: first(cli.report),
    say: async (line) => {
      if (said.has(line)) return;
      said.add(line);
      await cli.say(line);
    },
  };
};

/** A wrong answer is asked for again with the reason. */
const sayWhatIsWrong = async (cli: Cli, errors: readonly FieldError[]): Promise<void> => {
  for (const { option, field, message, isMissing } of errors) {
    if (!isMissing) await cli.io.stderr.write(`${escapeText(option ?? field)}: ${escapeText(message)}\n`);
  }
};

/** Nobody is asked in vain: what cannot be asked for is told alone, for all else will be asked once it is there. */
const assertAskable = async (cli: Cli, leaf: Leaf, failure: Failure): Promise<void> => {
  const { errors = [] } = failure.details;
  const beyond = await Promise.all(errors.map((error) => beyondAsking(cli, leaf, error)));
  const cannot = beyond.filter((error) => error !== undefined);
  if (cannot.length === 0) return;
  throw new Failure(failure.code, failure.message, { ...failure.details, errors: cannot, cause: failure });
};

/** Asks for one after the other: what was answered decides what comes into question for the next. */
const answersTo = async (open: () => Cli, leaf: Leaf, given: Given, failure: Failure): Promise<readonly Asked[]> => {
  const { errors = [] } = failure.details;
  await assertAskable(open(), leaf, failure);
  await sayWhatIsWrong(open(), errors);
  const asked: Asked[] = [];
  for (const named of inOrder(errors)) asked.push(...(await askAbout(open(), leaf, withAnswers(given, asked), named)));
  return asked;
};

/** Questions about what was begun earlier: that may have been sent, whatever is not sent now. */
const isOfMovement = ({ words }: Leaf, { details }: Failure): boolean =>
  words.at(-1) === 'resume' || (isJsonObject(details.data) && 'movement' in details.data);

const leavingMovement = (broken: Failure, { details }: Failure): Failure =>
  new Failure('interrupted', broken.message, {
    ...broken.details,
    data: broken.details.data ?? details.data,
    hint: broken.details.hint ?? 'Nothing was sent now. What was begun earlier stands as it did.',
    next: broken.details.next ?? details.next,
    cause: broken,
  });

/** Only what names missing things is asked about: with nothing done now, and nothing done by the questions. */
const sayingNothingSent = async <T>(leaf: Leaf, failure: Failure, questions: Promise<T>): Promise<T> => {
  try {
    return await questions;
  } catch (error) {
    if (!isFailure(error, 'interrupted')) throw error;
    if (isOfMovement(leaf, failure)) throw leavingMovement(error, failure);
    const { calls = [] } = leaf;
    const says = `interrupted; nothing was ${calls.length > 0 ? 'sent' : 'done'}`;
    throw new Failure('interrupted', says, { ...error.details, hint: error.details.hint ?? says, cause: error });
  }
};

/** The newest answer to each, in the order of the questions. */
const merged = (before: readonly Asked[], now: readonly Asked[]): readonly Asked[] => [
  ...before.filter(({ name }) => !now.some((one) => one.name === name)),
  ...now,
];

/** What the command itself has asked before it found that something else is missing. */
const chosenIn = ({ details: { chosen } }: Failure): readonly Asked[] => (chosen ? [chosen] : []);

/**
 * Asks for what a command lacks and runs it again, until it has all. Then it says the command line that would have done
 * the same. Throws what cannot be asked for.
 */
export const askAndRun = async (leaf: Leaf, open: () => Cli, attempt: Attempt): Promise<void> => {
  const { given, said } = attempt;
  let { failure } = attempt;
  let asked: readonly Asked[] = [];
  for (;;) {
    asked = merged(asked, chosenIn(failure));
    const questions = answersTo(open, leaf, withAnswers(given, asked), failure);
    asked = merged(asked, await sayingNothingSent(leaf, failure, questions));
    const cli = open();
    const line = commandLine(cli.io.args, asked);
    const tell = once(() => cli.say(`${cli.talkStyle.colour.dim('The same without questions:')}\n  ${line}`));
    try {
      await leaf.run(telling(cli, said, line, tell), withAnswers(given, asked));
      return await tell();
    } catch (error) {
      const answered = asked.map(({ flag }) => flag);
      if (!isAskable(error, answered)) throw error;
      failure = error;
    }
  }
};
