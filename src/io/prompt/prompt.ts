import { setTimeout } from 'node:timers/promises';
import { amended, Failure, withDetails } from '../../core/failure.ts';
import { type Environment, isSwitchedOn } from '../../core/screen.ts';
import { rowsBelow, separateRemote } from '../../core/text.ts';

/** One choice of a list: its text on the screen and its value. */
export type Choice<T> = {
  readonly name: string;
  readonly value: T;
  /** A second name that typed text is compared with. */
  readonly alias?: string | undefined;
  /** The cursor starts here, so that Enter takes it. */
  readonly isCurrent?: boolean;
};

/** Returns the problem of an answer; `undefined` for a valid one. */
export type AnswerCheck = (answer: string) => Promise<string | undefined>;

/** The rules for the answer to one question. */
export type AnswerRules = {
  /** The default, which a bare Enter takes. */
  readonly initial?: string | undefined;
  /** The number of characters that the answer may need on the screen. */
  readonly room?: number | undefined;
  /** An invalid answer is asked for again. */
  readonly problemIn?: AnswerCheck | undefined;
};

/** Lets the user type a value that is not in the list. */
export type CustomAnswer<T> = { readonly valueOf: (typed: string) => T } & Pick<AnswerRules, 'problemIn'>;

/** The result of questions that the user left by Esc. */
export const BACK: unique symbol = Symbol('back');

/** Questions to the user, on stderr. Each throws `interrupted` on Ctrl-C and at the end of the input. */
export type Prompt = {
  /** True when stdin and stderr are terminals, stdin is still open and questions are allowed. */
  readonly isPossible: boolean;
  /** A bare Enter means no, unless `isYesDefault`. Throws `interrupted` when `withdrawn` aborts: the question is obsolete. */
  readonly confirm: (question: string, isYesDefault?: boolean, withdrawn?: AbortSignal) => Promise<boolean>;
  readonly text: (question: string, wanted?: AnswerRules) => Promise<string>;
  readonly password: (question: string, wanted?: Pick<AnswerRules, 'problemIn'>) => Promise<string>;
  /** Typed text filters a list that is long or has an `other`. */
  readonly select: <T>(question: string, choices: readonly Choice<T>[], other?: CustomAnswer<T>) => Promise<T>;
  /**
   * Asks questions that the user can leave by Esc. All others ignore Esc. `isExplained` prints first what Esc does.
   */
  readonly untilBack: <T>(ask: () => Promise<T>, isExplained?: boolean) => Promise<T | typeof BACK>;
  /** The total time that questions have waited for answers, in milliseconds. */
  readonly waitedMs: () => number;
};

/** What decides whether a question is possible. */
type Streams = { readonly env: Environment } & Readonly<Record<'stdin' | 'stderr', { readonly isTerminal: boolean }>>;

/** Why no question is possible, as the end of a sentence. */
export const whyNotAsked = ({ env, stdin, stderr }: Streams): string => {
  if (!stdin.isTerminal || !stderr.isTerminal) return 'there is no terminal';
  const name = ['CI', 'BURSAR_NO_INPUT'].find((each) => isSwitchedOn(env[each]));
  return name ? `${name} is set, so bursar asks nothing` : '--no-input is given';
};

/** The questions alone, as a terminal asks them. */
export type Questions = Omit<Prompt, 'waitedMs' | 'isPossible'>;

/** The questions of a terminal, loaded with the first one. */
type LazyQuestions = {
  readonly isPossible: () => boolean;
  readonly load: () => Promise<Questions>;
  /** Whether this process has sent anything but reads. */
  readonly hasSent?: () => boolean;
};

/** Leaves questions that the user can leave: those inside `untilBack`. */
export type WayBack = {
  /** Aborted when the user has left; `undefined` where no question can be left. */
  readonly signal: () => AbortSignal | undefined;
  /** Leaves the innermost questions. */
  readonly leave: () => void;
  readonly untilBack: <T>(ask: () => Promise<T>) => Promise<T | typeof BACK>;
};

export const newWayBack = (): WayBack => {
  let leaving: AbortController | undefined;
  return {
    signal: () => leaving?.signal,
    leave: () => leaving?.abort(),
    untilBack: async (ask) => {
      const [outer, own] = [leaving, new AbortController()];
      leaving = own;
      try {
        return await ask();
      } catch (error) {
        if (own.signal.aborted) return BACK;
        throw error;
      } finally {
        leaving = outer;
      }
    },
  };
};

/** The longest list that arrow keys alone serve well. */
const SHORT_LIST = 7;

/** Whether typed text filters the list. */
export const isFiltered = <T>(choices: readonly Choice<T>[], other: CustomAnswer<T> | undefined): boolean =>
  other !== undefined || choices.length > SHORT_LIST;

/** Whether a text is the whole value or second name of a choice, in any case. */
export const isExactMatch = <T>({ value, alias: also }: Choice<T>, typed: string): boolean => {
  const text = typed.trim().toLowerCase();
  return text !== '' && [value, also].some((name) => typeof name === 'string' && name.toLowerCase() === text);
};

/** The choices that contain each typed word: first the exact match, then names that start with the text. */
export const filterChoices = <T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] => {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/);
  const searchedText = ({ name, value, alias: also = '' }: Choice<T>) =>
    `${name} ${typeof value === 'string' ? value : ''} ${also}`.toLowerCase();
  const rankOf = (choice: Choice<T>) => {
    if (isExactMatch(choice, text)) return 0;
    return choice.name.toLowerCase().startsWith(text) ? 1 : 2;
  };
  return choices
    .filter((choice) => words.every((word) => searchedText(choice).includes(word)))
    .toSorted((one, next) => rankOf(one) - rankOf(next));
};

/** The failure for an input that ended at a question. It has a message: without Ctrl-C the user needs the reason. */
export const inputEnded = (): Failure => new Failure('interrupted', 'the input ended before the question was answered');

/** Enough to receive all input that the terminal holds, and too short for a user to read a question. */
const DROP_MS = 20;

/** Drops what the user typed before the question appeared: it does not answer this question. */
export const dropTyped = async (input: NodeJS.ReadStream): Promise<void> => {
  const onData = () => undefined;
  input.on('data', onData).resume();
  await setTimeout(DROP_MS);
  input.off('data', onData).pause();
};

/** Questions without the count of their waiting time. */
type UntimedPrompt = Omit<Prompt, 'waitedMs'>;

type RowOutput = { readonly columns: number; readonly write: (text: string) => Promise<void> };

/** Asks the questions of a terminal. Remote text in a question stands above it, on rows of its own. */
export const remotePrompt = (
  { isPossible, load, hasSent = () => false }: LazyQuestions,
  stderr: RowOutput,
  unicode: boolean,
): UntimedPrompt => {
  const writeRemote = async (question: string): Promise<string> => {
    const parts = separateRemote(question, stderr.columns);
    const rows = rowsBelow(parts, stderr.columns, '  ', unicode);
    if (rows.length > 0) await stderr.write(`${rows.join('\n')}\n`);
    return parts.sentence;
  };
  const marked = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch(
      amended((failure) => withDetails(failure, { atQuestion: hasSent() ? 'sent' : 'unsent' }), 'interrupted'),
    );
  return {
    get isPossible() {
      return isPossible();
    },
    confirm: async (question, ...rest) => marked((await load()).confirm(await writeRemote(question), ...rest)),
    text: async (question, wanted) => marked((await load()).text(await writeRemote(question), wanted)),
    password: async (question, wanted) => marked((await load()).password(await writeRemote(question), wanted)),
    select: async (question, choices, other) =>
      marked((await load()).select(await writeRemote(question), choices, other)),
    untilBack: async (ask, isExplained) => (await load()).untilBack(ask, isExplained),
  };
};

/** The same questions, with a count of the time that they wait for answers. */
export const timedPrompt = (prompt: UntimedPrompt, clock: { readonly monotonic: () => number }): Prompt => {
  let total = 0;
  const timed =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const from = clock.monotonic();
      try {
        return await ask(...args);
      } finally {
        total += clock.monotonic() - from;
      }
    };
  return {
    get isPossible() {
      return prompt.isPossible;
    },
    confirm: timed(prompt.confirm),
    text: timed(prompt.text),
    password: timed(prompt.password),
    select: async (question, choices, other) => timed(() => prompt.select(question, choices, other))(),
    untilBack: prompt.untilBack,
    waitedMs: () => total,
  };
};
