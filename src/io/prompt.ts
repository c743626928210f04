import { Failure } from '../core/failure.ts';
import { wrap } from '../core/wrap.ts';
import type { Choice, Judge, Other, Prompt } from './asked.ts';
import { listOf } from './list-layout.ts';
import { isNarrowed } from './narrow.ts';
import { ignoreTab, listKeys, withKeys } from './prompt-keys.ts';
import { dropTyped, inputEnded } from './read-line.ts';
import { type Found, searchOf } from './search-layout.ts';

type Terminal = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };

/** inquirer ends a prompt with one of these on Ctrl-C, end of input and abort. */
const EXITS = ['ExitPromptError', 'AbortPromptError', 'CancelPromptError'];

const asFailure = (error: unknown): unknown => {
  if (!(error instanceof Error) || !EXITS.includes(error.name)) return error;
  return error.name === 'AbortPromptError' ? inputEnded() : new Failure('interrupted', 'interrupted');
};

type Key = { readonly ctrl?: boolean; readonly name?: string };

/**
 * Ctrl-D in an empty line closes the input, and so does a terminal that went away: inquirer waits for either until the
 * process has nothing left to do.
 */
const endOf = (input: Terminal['input']): AbortSignal => {
  const ended = new AbortController();
  if (!input.readable) ended.abort();
  for (const event of ['end', 'close', 'error']) input.once(event, () => ended.abort());
  const look = () => input.isPaused() && ended.abort();
  input.on('keypress', (_: unknown, key: Key | undefined) => {
    if (key?.ctrl && key.name === 'd') setImmediate(look);
  });
  return ended.signal;
};

/** A mark and a space stand before a question and before each choice. */
const BEFORE = 2;

/** What inquirer asks of an answer before it takes it. */
const validating = (problemIn: Judge | undefined, inWidth: (text: string) => string) =>
  problemIn && {
    validate: async (answer: string) => {
      const problem = await problemIn(answer);
      return problem === undefined || inWidth(problem);
    },
  };

/** Questions on a terminal, drawn on stderr so that stdout stays the answer. They move the cursor: `ask-lines.ts` does not. */
export const promptOn = ({ input, output }: Terminal, isPossible: () => boolean): Omit<Prompt, 'waited'> => {
  let ended: AbortSignal | undefined;
  const module = async () => {
    const { createPromptModule } = await import('inquirer');
    ended ??= endOf(input);
    return createPromptModule({ input, output, signal: ended });
  };
  const asked = async <T>(answers: Promise<{ answer: T }>): Promise<T> => {
    try {
      return (await answers).answer;
    } catch (error) {
      throw asFailure(error);
    }
  };
  // inquirer breaks what is wider than the terminal inside words.
  const inWidth = (text: string, indent = '') => wrap(text, (output.columns || 80) - BEFORE, indent);
  /** An answer that does not fit behind its question gets a line of its own. */
  const withRoom = (question: string, room: number): string =>
    inWidth(`${question} ${'x'.repeat(room)}`)
      .slice(0, -room || undefined)
      .replace(/ $/, '');
  return {
    get isPossible() {
      return isPossible();
    },
    confirm: async (question, isUsual = false) => {
      const ask = await module();
      // A yes that was typed before the question is none: it may have been meant for another.
      await dropTyped(input);
      return asked<boolean>(ask([{ type: 'confirm', name: 'answer', message: inWidth(question), default: isUsual }]));
    },
    text: async (question, { initial, room = 0, problemIn } = {}) => {
      const more = { ...(initial !== undefined && { default: initial }), ...validating(problemIn, inWidth) };
      const message = withRoom(question, Math.max(room, initial === undefined ? 0 : initial.length + 2));
      const ask = await module();
      return withKeys(input, ignoreTab, () =>
        asked<string>(ask([{ type: 'input', name: 'answer', message, ...more }])),
      );
    },
    password: async (question, { problemIn } = {}) => {
      const message = inWidth(question);
      for (;;) {
        const { looking, problem } = inspected(problemIn);
        const answer = await asked<string>(
          (await module())([{ type: 'password', name: 'answer', message, ...looking }]),
        );
        if (problem() === undefined) return answer;
        output.write(`> ${inWidth(problem() ?? '')}\n`);
      }
    },
    select: async <T>(question: string, choices: readonly Choice<T>[], other?: Other<T>) => {
      const room = { inWidth, withRoom, rows: output.rows };
      const ask = await module();
      const found = isNarrowed(choices, other)
        ? await withKeys(input, listKeys(input), () =>
            asked<Found>(ask([{ type: 'search', name: 'answer', ...searchOf(question, choices, room, other) }])),
          )
        : await asked<Found>(ask([{ type: 'select', name: 'answer', ...listOf(question, choices, room) }]));
      if (typeof found === 'string' && other) return other.valueOf(found.trim());
      const chosen = choices[Number(found)];
      if (chosen === undefined) throw new Failure('internal', `choice ${found} does not exist`);
      return chosen.value;
    },
  };
};

/**
 * inquirer keeps a refused answer for more to be typed behind it, where nobody sees it: what is unseen is asked for anew
 * instead. A refused one has no mark of one that was taken.
 */
const inspected = (problemIn: Judge | undefined) => {
  let problem: string | undefined;
  const validate = async (answer: string) => {
    problem = await problemIn?.(answer);
    return true;
  };
  const theme = {
    get prefix() {
      return problem === undefined ? {} : { done: '?' };
    },
  };
  return { looking: { validate, theme }, problem: () => problem };
};
