import { Failure } from '../../core/failure.ts';
import { textRows, wrap } from '../../core/screen.ts';
import { escapeText } from '../../core/text.ts';
import {
  type AnswerCheck,
  type Choice,
  type CustomAnswer,
  dropTyped,
  filterChoices,
  inputEnded,
  isExactMatch,
  isFiltered,
  newWayBack,
  type Questions,
} from './prompt.ts';

type Terminal = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };

/** inquirer draws a mark and a space before a question and before each choice. */
const MARK_WIDTH = 2;

/** Questions that inquirer draws on stderr; it moves the cursor. `line-prompt.ts` is for terminals that cannot. */
export const promptOn = ({ input, output }: Terminal): Questions => {
  let ended: AbortSignal | undefined;
  const wayBack = newWayBack();
  const listen = (): AbortSignal => {
    input.on('keypress', (_: unknown, key: Key | undefined) => {
      if (key?.name === 'escape') wayBack.leave();
    });
    return endOf(input);
  };
  const loadPrompt = async (withdrawn?: AbortSignal) => {
    const { createPromptModule } = await import('inquirer');
    ended ??= listen();
    const left = wayBack.signal();
    const signal = AbortSignal.any([ended, ...[left ?? [], withdrawn ?? []].flat()]);
    const ask = createPromptModule({ input, output, signal });
    for (const [type, prompt] of Object.entries(ask.prompts))
      ask.registerPrompt(type, erasing(prompt as Drawing, left));
    return ask;
  };
  // inquirer breaks long lines inside words.
  const inWidth = (text: string, indent = '') => wrap(text, (output.columns || 80) - MARK_WIDTH, indent);
  /** Moves an answer that does not fit behind its question to a line of its own. */
  const withRoom = (question: string, room: number): string =>
    inWidth(`${question} ${'x'.repeat(room)}`)
      .slice(0, -room || undefined)
      .replace(/ $/, '');
  return {
    untilBack: (ask, isExplained = false) => {
      if (isExplained) output.write(`${inWidth('Esc goes back one question, Ctrl-C stops.')}\n`);
      return wayBack.untilBack(ask);
    },
    confirm: async (question, isYesDefault = false, withdrawn) => {
      const ask = await loadPrompt(withdrawn);
      // A yes that was typed before the question may answer another one.
      await dropTyped(input);
      return answerOf<boolean>(
        ask([{ type: 'confirm', name: 'answer', message: inWidth(question), default: isYesDefault }]),
      );
    },
    text: async (question, { initial, room = 0, problemIn } = {}) => {
      const message = withRoom(question, Math.max(room, initial === undefined ? 0 : initial.length + 2));
      const validate = problemIn && (async (answer: string) => trueOr(await problemIn(answer), inWidth));
      const more = { ...(initial !== undefined && { default: initial }), ...(validate && { validate }) };
      const ask = await loadPrompt();
      return withKeys(input, ignoreTab, () =>
        answerOf<string>(ask([{ type: 'input', name: 'answer', message, ...more }])),
      );
    },
    password: async (question, { problemIn } = {}) => {
      const message = inWidth(question);
      for (;;) {
        const { validation, problem } = validateHidden(problemIn);
        const ask = await loadPrompt();
        const answer = await answerOf<string>(ask([{ type: 'password', name: 'answer', message, ...validation }]));
        if (problem() === undefined) return answer;
        output.write(`> ${inWidth(problem() ?? '')}\n`);
      }
    },
    select: async <T>(question: string, choices: readonly Choice<T>[], other?: CustomAnswer<T>) => {
      const layout = { inWidth, withRoom, rows: output.rows, columns: output.columns || 80 };
      const ask = await loadPrompt();
      const found = isFiltered(choices, other)
        ? await withKeys(input, listKeys(input), () =>
            answerOf<SearchAnswer>(
              ask([{ type: 'search', name: 'answer', ...searchOf(question, choices, layout, other) }]),
            ),
          )
        : await answerOf<SearchAnswer>(ask([{ type: 'select', name: 'answer', ...listOf(question, choices, layout) }]));
      if (typeof found === 'string' && other) return other.valueOf(found.trim());
      const chosen = choices[Number(found)];
      if (chosen === undefined) throw new Failure('internal', `choice ${found} does not exist`);
      return chosen.value;
    },
  };
};

type Drawing = (question: unknown, context: object) => Promise<unknown>;

/** Erases a question that Esc leaves. inquirer reads the setting when the question ends. */
const erasing =
  (draw: Drawing, left: AbortSignal | undefined): Drawing =>
  (question, context) =>
    draw(question, Object.defineProperty(context, 'clearPromptOnDone', { get: () => left?.aborted === true }));

type Key = { name?: string; ctrl?: boolean; shift?: boolean };

/** inquirer waits without end after Ctrl-D in an empty line, and after its terminal has closed. */
const endOf = (input: Terminal['input']): AbortSignal => {
  const ended = new AbortController();
  if (!input.readable) ended.abort();
  for (const event of ['end', 'close', 'error']) input.once(event, () => ended.abort());
  input.on('keypress', (_: unknown, key: Key | undefined) => {
    if (key?.ctrl && key.name === 'd') setImmediate(() => input.isPaused() && ended.abort());
  });
  return ended.signal;
};

/** inquirer throws one of these on Ctrl-C, at the end of the input and on abort. */
const EXITS = ['ExitPromptError', 'AbortPromptError', 'CancelPromptError'];

const answerOf = async <T>(answers: Promise<{ answer: T }>): Promise<T> => {
  try {
    return (await answers).answer;
  } catch (error) {
    if (!(error instanceof Error) || !EXITS.includes(error.name)) throw error;
    throw error.name === 'AbortPromptError' ? inputEnded() : new Failure('interrupted', 'interrupted');
  }
};

/** inquirer's form of a validation: `true`, or the problem as text. */
const trueOr = (problem: string | undefined, inWidth: (text: string) => string): true | string =>
  problem === undefined || inWidth(problem);

/** inquirer would keep a rejected password, and the user would type behind hidden text. So each attempt starts empty. */
const validateHidden = (problemIn: AnswerCheck | undefined) => {
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
  return { validation: { validate, theme }, problem: () => problem };
};

/** Receives a key before inquirer does, and may change it. */
type KeyHandler = (text: unknown, key: Key | undefined) => void;

/** Handles keys for the time of one answer. */
const withKeys = async <T>(input: NodeJS.ReadStream, handler: KeyHandler, answer: () => Promise<T>): Promise<T> => {
  input.on('keypress', handler);
  try {
    return await answer();
  } finally {
    input.off('keypress', handler);
  }
};

/** readline ignores a key with these flags. */
const IGNORED = { ctrl: true, shift: true } as const;

const ignoreTab: KeyHandler = (_, key) => {
  if (key?.name === 'tab') Object.assign(key, IGNORED);
};

/**
 * Keys of a filtered list. On Tab inquirer would replace the typed text by the whole choice. It would also lose the
 * Enter of pasted text, because the list is not filtered yet; so Enter is sent again.
 */
const listKeys = (input: Pick<NodeJS.ReadStream, 'emit'>): KeyHandler => {
  let isFiltering = false;
  return (_, key) => {
    if (key?.name === 'tab') Object.assign(key, IGNORED, { name: 'none' });
    else if (key?.name !== 'return') {
      isFiltering = true;
      setImmediate(() => {
        isFiltering = false;
      });
    } else if (isFiltering) {
      Object.assign(key, IGNORED, { name: 'none' });
      setImmediate(() => input.emit('keypress', '\r', { name: 'return', sequence: '\r' }));
    }
  };
};

/** The rows around a list: an empty line, the help and the line of the cursor. */
const ROWS_AROUND = 3;
const [DEFAULT_ROWS, MIN_ROWS] = [24, 4];

/** inquirer leaves the value alone on the screen, where the choice starts with it. */
const shortOf = <T>({ name, value }: Choice<T>): { readonly short?: string } =>
  typeof value === 'string' && value !== '' && name.startsWith(value) ? { short: escapeText(value) } : {};

/** How a list fits the terminal. */
type Layout = {
  readonly inWidth: (text: string, indent?: string) => string;
  readonly rows: number | undefined;
  readonly columns: number;
  readonly withRoom: (question: string, room: number) => string;
};

/** inquirer's options for a list: whole if it fits the terminal, otherwise with a note. `typed`: length of the longest answer. */
const listOf = <T>(question: string, choices: readonly Choice<T>[], layout: Layout, typed = 0) => {
  const { inWidth, rows, columns, withRoom } = layout;
  const list = choices.map((choice, value) => ({ name: inWidth(choice.name, '    '), value, ...shortOf(choice) }));
  const current = choices.findIndex(({ isCurrent }) => isCurrent);
  const cursor = current < 0 ? {} : { default: current };
  const height = list.reduce((sum, { name }) => sum + textRows(`  ${name}`, columns), 0);
  const room = (text: string) => Math.max(MIN_ROWS, (rows || DEFAULT_ROWS) - ROWS_AROUND - textRows(text, columns));
  const message = withRoom(question, typed);
  if (height <= room(message)) return { message, choices: list, pageSize: height, loop: true, ...cursor };
  const more = withRoom(`${question} (${list.length} choices, arrow keys show more)`, typed);
  return { message: more, choices: list, pageSize: room(more), loop: false, ...cursor };
};

/** The index of a choice, or the typed text. */
type SearchAnswer = number | string;
const helpOf = (keys: readonly (readonly [key: string, action: string])[]): string =>
  [['type', 'to filter'], ...keys].map(([key, action]) => `${key} ${action}`).join(' • ');

/** inquirer's options for a list that typed text filters. With `other` the text itself can be the answer. */
const searchOf = <T>(
  question: string,
  choices: readonly Choice<T>[],
  layout: Layout,
  other: CustomAnswer<T> | undefined,
) => {
  const longest = Math.max(0, ...choices.map(({ value }) => (typeof value === 'string' ? value.length : 0)));
  const { choices: list, loop: _, ...more } = listOf(question, choices, layout, longest);
  const find = (typed: string) =>
    filterChoices(choices, typed).flatMap((choice) => list[choices.indexOf(choice)] ?? []);
  return {
    ...more,
    theme: { style: { keysHelpTip: helpOf } },
    source: async (typed = '') => {
      if (typed.trim() === '') return list;
      if (!other || choices.some((choice) => isExactMatch(choice, typed))) return find(typed);
      // inquirer repeats an invalid answer only if its choice has the typed name.
      const itself = { name: typed, value: typed, description: 'Press Enter to use this text.' };
      return [...find(typed), itself];
    },
    validate: async (value: SearchAnswer) =>
      trueOr(typeof value === 'string' ? await other?.problemIn?.(value.trim()) : undefined, layout.inWidth),
  };
};
