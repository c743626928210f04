import { Failure } from '../core/failure.ts';
import { wrap } from '../core/wrap.ts';
import type { Choice, Other, Prompt, Wanted } from './asked.ts';
import type { Output } from './io.ts';
import { isNarrowed, isWhole, narrowed } from './narrow.ts';
import { type Lines, linesOf } from './read-line.ts';

/** Where questions are written and lines are read. */
type Asking = { readonly output: Pick<Output, 'write' | 'columns'>; readonly lines: Lines };

/** As wide as the terminal is at that moment. */
const write = ({ output }: Asking, text: string, indent = ''): Promise<void> =>
  output.write(wrap(text, output.columns, indent));

const ask = async (asking: Asking, question: string, isSecret = false): Promise<string> => {
  await write(asking, question);
  await asking.output.write(' ');
  try {
    return await asking.lines.next(isSecret);
  } catch (error) {
    // The newline that would have ended the answer: what comes next begins a line.
    await asking.output.write('\n');
    throw error;
  }
};

/** Asks until nothing is wrong with the answer. */
const askUntil = async (
  { problemIn }: Pick<Wanted, 'problemIn'>,
  asking: Asking,
  read: () => Promise<string>,
): Promise<string> => {
  for (;;) {
    const answer = await read();
    const problem = await problemIn?.(answer);
    if (problem === undefined) return answer;
    await write(asking, `  ${problem}\n`, '  ');
  }
};

const askUnseen = async (asking: Asking, question: string): Promise<string> => {
  const answer = await ask(asking, `${question} (it is not shown)`, true);
  await asking.output.write('\n');
  return answer;
};

/** A yes that was typed before the question is none: it may have been meant for another. */
const confirm = async (asking: Asking, question: string, isUsual = false): Promise<boolean> => {
  await asking.lines.drop();
  for (;;) {
    const answer = (await ask(asking, `${question} ${isUsual ? '(Y/n)' : '(y/N)'}`)).trim().toLowerCase();
    if (answer === '') return isUsual;
    if (['n', 'no'].includes(answer)) return false;
    if (['y', 'yes'].includes(answer)) return true;
    await write(asking, 'Answer y or n.\n');
  }
};

/** As many as are listened to at once. */
const SHOWN = 20;

type List<T> = { readonly choices: readonly Choice<T>[]; readonly other: Other<T> | undefined };

/** Choices keep their numbers, however few of them are shown. */
const show = async <T>(asking: Asking, { choices }: List<T>, found: readonly Choice<T>[]): Promise<void> => {
  for (const choice of found.slice(0, SHOWN)) {
    await write(asking, `  ${choices.indexOf(choice) + 1}) ${choice.name}\n`, '     ');
  }
  const more = found.length - SHOWN;
  if (more > 0) await write(asking, `  and ${more} more: type a part of one to have it shown\n`, '     ');
};

/** What a line chooses, by number or as a whole; `undefined` where it only narrows, and the rest was shown. */
const chosenBy = async <T>(asking: Asking, list: List<T>, line: string): Promise<{ readonly value: T } | undefined> => {
  const { choices, other } = list;
  const chosen = /^\d{1,4}$/.test(line) ? choices[Number(line) - 1] : choices.find((choice) => isWhole(choice, line));
  if (chosen) return chosen;
  const found = /[^\d\s]/.test(line) ? narrowed(choices, line) : [];
  if (found.length > 0) await show(asking, list, found);
  else if (!other || !/[^\d\s]/.test(line)) await write(asking, `Type a number from 1 to ${choices.length}.\n`);
  else {
    const problem = await other.problemIn?.(line);
    if (problem === undefined) return { value: other.valueOf(line) };
    await write(asking, `  ${problem}\n`, '  ');
  }
  return undefined;
};

const select = async <T>(asking: Asking, question: string, list: List<T>): Promise<T> => {
  const { choices, other } = list;
  await write(asking, `${question}\n`);
  await show(asking, list, choices);
  const orPart = isNarrowed(choices, other) ? ', or a part of it' : '';
  for (;;) {
    const line = (await ask(asking, `Number of your choice (1-${choices.length})${orPart}:`)).trim();
    const chosen = await chosenBy(asking, list, line);
    if (chosen) return chosen.value;
  }
};

/**
 * Questions that are read aloud well and work on any terminal: written once, answered by a line, choices by number. The
 * cursor is never moved, and nothing is drawn again.
 */
export const promptByLines = (
  input: NodeJS.ReadStream,
  output: Pick<Output, 'write' | 'columns'>,
  { isPossible, interrupted }: { readonly isPossible: () => boolean; readonly interrupted: AbortSignal },
): Omit<Prompt, 'waited'> => {
  const asking = { output, lines: linesOf(input, interrupted) };
  return {
    get isPossible() {
      return isPossible();
    },
    confirm: (question, isUsual) => confirm(asking, question, isUsual),
    text: async (question, { initial = '', problemIn } = {}) => {
      const whole = initial === '' ? question : `${question} [${initial}]`;
      return askUntil({ problemIn }, asking, async () => (await ask(asking, whole)) || initial);
    },
    password: (question, { problemIn } = {}) => askUntil({ problemIn }, asking, () => askUnseen(asking, question)),
    select: (question, choices, other) => {
      if (choices.length === 0) throw new Failure('internal', `no choices for "${question}"`);
      return select(asking, question, { choices, other });
    },
  };
};
