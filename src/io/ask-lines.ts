import { Failure } from '../core/failure.ts';
import { wrap } from '../core/wrap.ts';
import type { Choice, Prompt, Wanted } from './asked.ts';
import type { Output } from './io.ts';
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
const confirm = async (asking: Asking, question: string): Promise<boolean> => {
  await asking.lines.drop();
  for (;;) {
    const answer = (await ask(asking, `${question} (y/N)`)).trim().toLowerCase();
    if (['', 'n', 'no'].includes(answer)) return false;
    if (['y', 'yes'].includes(answer)) return true;
    await write(asking, 'Answer y or n.\n');
  }
};

const select = async <T>(asking: Asking, question: string, choices: readonly Choice<T>[]): Promise<T> => {
  await write(asking, `${question}\n`);
  for (const [at, { name }] of choices.entries()) await write(asking, `  ${at + 1}) ${name}\n`, '     ');
  for (;;) {
    const answer = (await ask(asking, `Number of your choice (1-${choices.length}):`)).trim();
    const chosen = /^\d{1,4}$/.test(answer) ? choices[Number(answer) - 1] : undefined;
    if (chosen) return chosen.value;
    await write(asking, `Type a number from 1 to ${choices.length}.\n`);
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
    confirm: (question) => confirm(asking, question),
    text: async (question, { initial = '', problemIn } = {}) => {
      const whole = initial === '' ? question : `${question} [${initial}]`;
      return askUntil({ problemIn }, asking, async () => (await ask(asking, whole)) || initial);
    },
    password: (question, { problemIn } = {}) => askUntil({ problemIn }, asking, () => askUnseen(asking, question)),
    select: (question, choices) => {
      if (choices.length === 0) throw new Failure('internal', `no choices for "${question}"`);
      return select(asking, question, choices);
    },
  };
};
