import { escapeText } from '../core/escape.ts';
import type { Choice } from './asked.ts';

/** What stands around a list: an empty line and the help below, and the line of the cursor. */
const AROUND = 3;

/** A terminal that does not say how high it is, and the least that a list shows. */
const [ROWS, MIN] = [24, 4];

/** What stays on the screen: the value alone where its choice begins with it, for all else there explains it. */
const shortOf = <T>({ name, value }: Choice<T>): { readonly short?: string } =>
  typeof value === 'string' && value !== '' && name.startsWith(value) ? { short: escapeText(value) } : {};

const linesOf = (text: string): number => text.split('\n').length;

/** The terminal that a list has to fit. */
export type Room = {
  readonly inWidth: (text: string, indent?: string) => string;
  readonly rows: number | undefined;
  /** A question that leaves room behind it for so many characters. */
  readonly withRoom: (question: string, room: number) => string;
};

/**
 * A list as inquirer takes it: whole where the terminal has the rows for it; else it says that there is more. `typed`: how
 * long is what may be typed behind its question.
 */
export const listOf = <T>(
  question: string,
  choices: readonly Choice<T>[],
  { inWidth, rows, withRoom }: Room,
  typed = 0,
) => {
  const list = choices.map((choice, value) => ({ name: inWidth(choice.name, '    '), value, ...shortOf(choice) }));
  const height = list.map(({ name }) => linesOf(name)).reduce((sum, one) => sum + one, 0);
  const room = (text: string) => Math.max(MIN, (rows || ROWS) - AROUND - linesOf(text));
  const message = withRoom(question, typed);
  if (height <= room(message)) return { message, choices: list, pageSize: height, loop: true };
  const more = withRoom(`${question} (${list.length} choices, the arrows show more)`, typed);
  return { message: more, choices: list, pageSize: room(more), loop: false };
};
