import { Failure } from '../core/failure.ts';
import type { Choice, Prompt } from './io.ts';
import { type Lines, linesOf } from './read-line.ts';

/** Where questions are written and lines are read. */
type Asking = { readonly write: (text: string) => Promise<void>; readonly lines: Lines };

const ask = async ({ write, lines }: Asking, question: string, isSecret = false): Promise<string> => {
  await write(`${question} `);
  return lines.next(isSecret);
};

/** A yes that was typed before the question is none: it may have been meant for another. */
const confirm = async (asking: Asking, question: string): Promise<boolean> => {
  await asking.lines.drop();
  for (;;) {
    const answer = (await ask(asking, `${question} (y/N)`)).trim().toLowerCase();
    if (['', 'n', 'no'].includes(answer)) return false;
    if (['y', 'yes'].includes(answer)) return true;
    await asking.write('Answer y or n.\n');
  }
};

const select = async <T>(asking: Asking, question: string, choices: readonly Choice<T>[]): Promise<T> => {
  const list = choices.map(({ name }, at) => `  ${at + 1}) ${name}\n`).join('');
  await asking.write(`${question}\n${list}`);
  for (;;) {
    const answer = (await ask(asking, `Number of your choice (1-${choices.length}):`)).trim();
    const chosen = /^\d{1,4}$/.test(answer) ? choices[Number(answer) - 1] : undefined;
    if (chosen) return chosen.value;
    await asking.write(`Type a number from 1 to ${choices.length}.\n`);
  }
};

/**
 * Questions that are read aloud well and work on any terminal: written once, answered by a line, choices by number. The
 * cursor is never moved, and nothing is drawn again.
 */
export const promptByLines = (
  input: NodeJS.ReadStream,
  write: (text: string) => Promise<void>,
  { isPossible, interrupted }: { readonly isPossible: boolean; readonly interrupted: AbortSignal },
): Prompt => {
  const asking = { write, lines: linesOf(input, interrupted) };
  return {
    isPossible,
    confirm: (question) => confirm(asking, question),
    text: (question) => ask(asking, question),
    password: async (question) => {
      const answer = await ask(asking, `${question} (it is not shown)`, true);
      await write('\n');
      return answer;
    },
    select: (question, choices) => {
      if (choices.length === 0) throw new Failure('internal', `no choices for "${question}"`);
      return select(asking, question, choices);
    },
  };
};
