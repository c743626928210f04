import { commandLine, type NextStep } from '../core/next.ts';
import { wrap } from '../core/screen.ts';
import { escapeText, splitToWidth, widthOf, withoutMark } from '../core/text.ts';
import { linked, type TableStyle } from './table.ts';
import { inLocale, inRecord } from './terminal-text.ts';

const VALUE_INDENT = 4;

/** An id, a hash or an address. Users copy it, and a broken word copies only in part. */
const IS_COPIED = /^[\x21-\x7e]+$/;

/** A Pix code (EMV: field 00 is 01). Users copy it with the blanks in its names. */
const IS_PIX_CODE = /^000201[\x20-\x7e]+$/;

/**
 * The rows of a value below its name. Sentences are wrapped. A value that users copy stays one line even if it is wider
 * than the terminal: the terminal's own line break is not copied.
 */
const below = (value: string, columns: number): readonly string[] => {
  const room = Math.max(10, columns - VALUE_INDENT);
  const lines = IS_PIX_CODE.test(value) ? [value] : wrap(value, room).split('\n');
  return lines
    .flatMap((line) => (IS_COPIED.test(line) || IS_PIX_CODE.test(line) ? [line] : splitToWidth(line, room)))
    .map(withoutMark)
    .map((line) => ' '.repeat(Math.max(0, Math.min(VALUE_INDENT, columns - widthOf(line)))) + line);
};

/** A name with its values: a value without a name of its own continues the one before. */
type Entry = { readonly name: string; readonly values: string[] };

const entriesOf = (fields: readonly (readonly [string, string])[]): readonly Entry[] => {
  const entries: Entry[] = [];
  for (const [name, value] of fields) {
    const last = entries.at(-1);
    if (name === '' && last) last.values.push(value);
    else entries.push({ name, values: [value] });
  }
  return entries;
};

/** The fields of one object, a line each. Values of which one does not fit beside their name stand below it. */
export const record = (
  fields: readonly (readonly [string, string])[],
  { columns, colour, links }: TableStyle,
): string => {
  const widest = Math.max(0, ...fields.map(([name]) => widthOf(name)));
  const gap = Math.min(widest, Math.floor(columns / 2)) + 2;
  const shown = (part: string, value: string) => (links ? linked(part, value) : part);
  const rowsOf = ({ name, values }: Entry): readonly string[] => {
    const length = widthOf(name);
    const isBeside = length + 2 <= gap && values.every((value) => gap + widthOf(value) <= columns);
    const isEmpty = values.every((value) => value === '');
    if (isBeside || isEmpty) {
      const named = `${colour.bold(name)}${' '.repeat(Math.max(2, gap - length))}`;
      return values.map((value, at) => `${at === 0 ? named : ' '.repeat(gap)}${shown(value, value)}`.trimEnd());
    }
    const parts = values.flatMap((value) =>
      below(value, columns).map((part) => part.replace(/\S.*/, (text) => shown(text, value))),
    );
    return [colour.bold(name), ...parts];
  };
  return entriesOf(fields)
    .flatMap(rowsOf)
    .map((line) => `${line}\n`)
    .join('');
};

/** The state of the thing: ended well, not ended, or ended badly. */
export type Tone = 'good' | 'open' | 'bad';

/** A named fact. A fact without a text is left out; a fact without a name continues the one before. */
export type Fact = readonly [name: string, text: string | undefined];

/**
 * A result on a terminal: one sentence, then facts such as parties and cost, and at the end the ids to copy. Texts may be
 * remote: `renderSummary` escapes them.
 */
export type Summary = {
  readonly tone: Tone;
  readonly headline: string;
  readonly facts: readonly Fact[];
  /** The next command, or its line from a receipt. It is never broken, so that users can copy it. */
  readonly next?: NextStep | string | undefined;
};

/** A text as the start of a headline. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const SIGNS = { good: ['✓', 'green'], open: ['•', 'yellow'], bad: ['✗', 'red'] } as const;

const SUMMARY_INDENT = 2;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(SUMMARY_INDENT));

/** Renders a summary as lines of a terminal. Nothing is cut. */
export const renderSummary = ({ tone, headline, facts, next }: Summary, style: TableStyle): string => {
  const [sign, colour] = SIGNS[tone];
  const shownFacts = facts.flatMap(([name, text]) =>
    text === undefined || text === ''
      ? []
      : [[inLocale(escapeText(name), style), inRecord(escapeText(text), style)] as const],
  );
  // Continuation rows are indented deeper than facts, and blanks are collapsed, so that no row looks like a fact.
  const sentence = inLocale(escapeText(headline), style).replaceAll(/\s+/g, ' ');
  const rows = wrap(sentence, style.columns - SUMMARY_INDENT - 1, ' '.repeat(2 * SUMMARY_INDENT)).split('\n');
  const first = rows.map(withoutMark).join('\n');
  const below = indented(record(shownFacts, { ...style, columns: style.columns - SUMMARY_INDENT }));
  const command = typeof next === 'object' ? commandLine(next) : next;
  const last = command === undefined ? '' : `${style.colour.dim('next:')} ${inLocale(escapeText(command), style)}\n`;
  return `${style.colour[colour](inLocale(sign, style))} ${first}\n${below}${last}`;
};
