import { Failure, interrupted } from '../../core/failure.ts';
import { wrap } from '../../core/screen.ts';
import type { Output } from '../io.ts';
import {
  type AnswerRules,
  type Choice,
  type CustomAnswer,
  dropTyped,
  filterChoices,
  inputEnded,
  isExactMatch,
  isFiltered,
  newWayBack,
  type Questions,
  type WayBack,
} from './prompt.ts';

/** Where questions are written and lines are read. */
type Terminal = { readonly output: Pick<Output, 'write' | 'columns'>; readonly lines: ReturnType<typeof linesOf> };

/**
 * Questions for screen readers and simple terminals: each is written once and answered by a line, choices by number. The
 * cursor never moves, and nothing is drawn again.
 */
export const promptByLines = (
  input: NodeJS.ReadStream,
  output: Pick<Output, 'write' | 'columns'>,
  interrupted: AbortSignal,
): Questions => {
  const wayBack = newWayBack();
  const terminal = { output, lines: linesOf(input, interrupted, wayBack) };
  return {
    untilBack: async (ask, isExplained = false) => {
      if (isExplained) await write(terminal, 'Esc and Enter go back one question, Ctrl-C stops.\n');
      return wayBack.untilBack(ask);
    },
    confirm: (question, ...rest) => confirm(terminal, question, ...rest),
    text: async (question, { initial = '', problemIn } = {}) => {
      const whole = initial === '' ? question : `${question} [${initial}]`;
      return askUntilValid(terminal, problemIn, async () => (await ask(terminal, whole)) || initial);
    },
    password: (question, { problemIn } = {}) => askUntilValid(terminal, problemIn, () => askHidden(terminal, question)),
    select: (question, choices, other) => {
      if (choices.length === 0) throw new Failure('internal', `no choices for "${question}"`);
      return select(terminal, question, { choices, other });
    },
  };
};

/** Wraps to the current width of the terminal. */
const write = ({ output }: Terminal, text: string, indent = ''): Promise<void> =>
  output.write(wrap(text, output.columns, indent));

type AskOptions = { readonly isSecret?: boolean; readonly withdrawn?: AbortSignal | undefined };

const ask = async (terminal: Terminal, question: string, options: AskOptions = {}): Promise<string> => {
  await write(terminal, question);
  await terminal.output.write(' ');
  try {
    return await terminal.lines.next(options);
  } catch (error) {
    // No Enter ended this line: later text needs a new one.
    await terminal.output.write('\n');
    throw error;
  }
};

const askUntilValid = async (
  terminal: Terminal,
  problemIn: AnswerRules['problemIn'],
  read: () => Promise<string>,
): Promise<string> => {
  for (;;) {
    const answer = await read();
    const problem = await problemIn?.(answer);
    if (problem === undefined) return answer;
    await write(terminal, `  ${problem}\n`, '  ');
  }
};

const askHidden = async (terminal: Terminal, question: string): Promise<string> => {
  const answer = await ask(terminal, `${question} (input is hidden)`, { isSecret: true });
  await terminal.output.write('\n');
  return answer;
};

/** Drops earlier input first: a yes that was typed before the question may answer another one. */
const confirm = async (
  terminal: Terminal,
  question: string,
  isYesDefault = false,
  withdrawn?: AbortSignal,
): Promise<boolean> => {
  await terminal.lines.drop();
  const choices = isYesDefault ? '(Y/n)' : '(y/N)';
  for (;;) {
    const answer = (await ask(terminal, `${question} ${choices}`, { withdrawn })).trim().toLowerCase();
    if (answer === '') return isYesDefault;
    if (['n', 'no'].includes(answer)) return false;
    if (['y', 'yes'].includes(answer)) return true;
    await write(terminal, 'Answer y or n.\n');
  }
};

type ChoiceList<T> = { readonly choices: readonly Choice<T>[]; readonly other: CustomAnswer<T> | undefined };

const select = async <T>(terminal: Terminal, question: string, list: ChoiceList<T>): Promise<T> => {
  const { choices, other } = list;
  await write(terminal, `${question}\n`);
  await showChoices(terminal, list, choices);
  const orPart = isFiltered(choices, other) ? ', or part of its text' : '';
  for (;;) {
    const line = (await ask(terminal, `Number of your choice (1-${choices.length})${orPart}:`)).trim();
    const chosen = await chosenBy(terminal, list, line);
    if (chosen) return chosen.value;
  }
};

/** The most choices that a screen reader reads at once. */
const MAX_SHOWN = 20;

/** A choice keeps its number in a filtered list. */
const showChoices = async <T>(
  terminal: Terminal,
  { choices }: ChoiceList<T>,
  found: readonly Choice<T>[],
): Promise<void> => {
  for (const choice of found.slice(0, MAX_SHOWN)) {
    const current = choice.isCurrent ? ' (current)' : '';
    await write(terminal, `  ${choices.indexOf(choice) + 1}) ${choice.name}${current}\n`, '     ');
  }
  const more = found.length - MAX_SHOWN;
  if (more > 0) await write(terminal, `  and ${more} more: type part of a choice to find it\n`, '     ');
};

/** The choice that a line names by number or whole text. Otherwise it shows the matches, and returns `undefined`. */
const chosenBy = async <T>(
  terminal: Terminal,
  list: ChoiceList<T>,
  line: string,
): Promise<{ readonly value: T } | undefined> => {
  const { choices, other } = list;
  const exact = choices.find((choice) => isExactMatch(choice, line));
  const chosen = /^\d{1,4}$/.test(line) ? choices[Number(line) - 1] : exact;
  if (chosen) return chosen;
  const found = /[^\d\s]/.test(line) ? filterChoices(choices, line) : [];
  if (found.length > 0) await showChoices(terminal, list, found);
  else if (!other || !/[^\d\s]/.test(line)) await write(terminal, `Type a number from 1 to ${choices.length}.\n`);
  else {
    const problem = await other.problemIn?.(line);
    if (problem === undefined) return { value: other.valueOf(line) };
    await write(terminal, `  ${problem}\n`, '  ');
  }
  return undefined;
};

/** A raw terminal sends Ctrl-C and Ctrl-D as characters. */
const [CTRL_C, CTRL_D, ESC] = ['\u0003', '\u0004', '\u001b'];

const LINE_ENDS: readonly string[] = [CTRL_C, CTRL_D, '\r', '\n'];

/** The lines that the user types. Lines typed early wait for the next question, unless they are dropped. */
const linesOf = (input: NodeJS.ReadStream, ended: AbortSignal, wayBack: WayBack) => {
  const decoder = new TextDecoder();
  let ahead = '';
  const take = async (signal: AbortSignal): Promise<string> => {
    for (;;) {
      const at = endOfLine(ahead);
      if (at < 0) {
        ahead += decoder.decode(await nextBytes(input, signal), { stream: true });
        continue;
      }
      const [line, end] = [ahead.slice(0, at), ahead[at]];
      ahead = ahead.slice(at + (ahead.startsWith('\r\n', at) ? 2 : 1));
      if (end === CTRL_C) throw interrupted();
      if (end === CTRL_D && line === '') throw inputEnded();
      if (end !== CTRL_D) return line;
      ahead = line + ahead;
    }
  };
  const takeHidden = async (): Promise<string> => {
    input.setRawMode(true);
    try {
      return applyErasures(await take(ended));
    } finally {
      input.setRawMode(false);
    }
  };
  return {
    /**
     * The next line, without echo for a secret. Throws `interrupted` on Ctrl-C, at the end of the input, and for a line
     * that leaves the question.
     */
    next: async ({ isSecret, withdrawn }: AskOptions) => {
      const signal = withdrawn ? AbortSignal.any([ended, withdrawn]) : ended;
      const line = await (isSecret ? takeHidden() : take(signal));
      if (line === ESC) wayBack.leave();
      if (wayBack.signal()?.aborted) throw interrupted();
      return line;
    },
    drop: async () => {
      await dropTyped(input);
      ahead = '';
    },
  };
};

/** The index at which the first line ends; -1 for an unfinished line. */
const endOfLine = (text: string): number => {
  const found = LINE_ENDS.map((end) => text.indexOf(end)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
};

/** A raw terminal leaves Backspace and Ctrl-U to its program. */
const applyErasures = (line: string): string => {
  const chars: string[] = [];
  for (const char of line) {
    if (char === '\u007f' || char === '\b') chars.pop();
    else if (char === '\u0015') chars.length = 0;
    else chars.push(char);
  }
  return chars.join('');
};

/** Reads from the terminal only while a question waits, so that other programs can read it in between. */
const nextBytes = (input: NodeJS.ReadStream, signal: AbortSignal): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      input.off('data', onData).off('end', onEnd).off('close', onEnd).pause();
      signal.removeEventListener('abort', onAbort);
    };
    const onData = (bytes: Uint8Array) => {
      stop();
      resolve(bytes);
    };
    const fail = (failure: Failure) => {
      stop();
      reject(failure);
    };
    const onEnd = () => fail(inputEnded());
    const onAbort = () => fail(interrupted());
    if (signal.aborted) return reject(interrupted());
    if (!input.readable) return reject(inputEnded());
    signal.addEventListener('abort', onAbort, { once: true });
    input.on('data', onData).on('end', onEnd).on('close', onEnd).resume();
  });
