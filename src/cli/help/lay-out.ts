import { wrap } from '../../core/screen.ts';
import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';
import { type Block, examplesOf, type Item, type Page, type Section } from './page.ts';

/** Wider lines are hard to read. */
const WIDEST = 100;
const WIDEST_TERM = 32;
const NARROWEST_TEXT = 28;

/** The width and colours of printed help. */
type Look = { readonly columns: number; readonly paint: ReturnType<typeof palette> };

/** The width and colours for standard output. */
export const lookOf = ({ env, stdout }: Io, noColour: boolean): Look => ({
  columns: stdout.columns,
  paint: palette(wantsColour(env, stdout, noColour)),
});

const inColumn = ([term, description]: Item, width: number, columns: number): string => {
  const indent = ' '.repeat(width + 4);
  const start = `  ${term.padEnd(width)}  `;
  if (term.length > width) return `  ${term}\n${wrap(indent + description, columns, indent)}`;
  return start + wrap(indent + description, columns, indent).slice(indent.length);
};

const underTerm = ([term, description]: Item, columns: number): string =>
  `  ${term}\n${wrap(`      ${description}`, columns, '      ')}`;

/** Prints terms in a column, or above their descriptions on a narrow terminal. */
const itemLines = (all: readonly Item[], columns: number): string => {
  const width = Math.min(WIDEST_TERM, Math.max(...all.map(([term]) => term.length)));
  const isNarrow = columns - width - 4 < NARROWEST_TEXT;
  return all.map((item) => (isNarrow ? underTerm(item, columns) : inColumn(item, width, columns))).join('\n');
};

const blockLines = (block: Block, columns: number): string => {
  switch (block.kind) {
    case 'text':
      return wrap(`  ${block.text}`, columns, '  ');
    case 'items':
      return itemLines(block.items, columns);
    case 'commands':
      return block.lines
        .flatMap((line) => fold(`$ ${line}`, columns - 2, '      '))
        .map((line) => `  ${line}`)
        .join('\n');
    default:
      return block satisfies never;
  }
};

const sectionLines = ({ heading, blocks }: Section, { columns, paint }: Look): string =>
  `${paint.bold(`${heading}:`)}\n${blocks.map((block) => blockLines(block, columns)).join('\n')}\n`;

/** Prints a page as text for a terminal. */
export const layOut = (page: Page, look: Look): string => {
  const { summary, usage, about = [], sections } = page;
  const fitting = { ...look, columns: Math.min(look.columns, WIDEST) };
  const { columns, paint } = fitting;
  return [
    `${wrap(summary, columns)}\n`,
    ...(usage ? [`${paint.bold('Usage:')} ${fold(usage, columns - 7, '  ').join('\n')}\n`] : []),
    ...examplesOf(page).map((one) => sectionLines(one, fitting)),
    ...(about.length > 0 ? [about.map((line) => `${wrap(line, columns)}\n`).join('')] : []),
    ...sections.map((one) => sectionLines(one, fitting)),
  ].join('\n');
};

/** The words of a command line. A quoted text is one word; a quote after a backslash is a letter. */
const wordsOf = (line: string): readonly string[] => line.match(/(?:\\.|[^\s"'\\]+|"[^"]*"|'[^']*')+/g) ?? [];

/** Keeps an option with its value, and a shell operator with the next word. */
const unitsOf = (line: string): readonly string[] => {
  const units: string[] = [];
  for (const word of wordsOf(line)) {
    const last = units.at(-1) ?? '';
    const belongs = /^(?:-{1,2}[a-z][^\s=]*|[|<>]|&&)$/.test(last) && !/^(?:-|[|<>]|&&)/.test(word);
    if (belongs) units[units.length - 1] = `${last} ${word}`;
    else units.push(word);
  }
  return units;
};

/** Breaks a command line at `columns`. The result can still be pasted into a shell. */
export const fold = (line: string, columns: number, indent = '    '): readonly string[] => {
  if (line.length <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  for (const unit of unitsOf(line)) {
    const longer = current === '' ? unit : `${current} ${unit}`;
    if (longer.length + 2 > columns && current !== '') {
      lines.push(`${current} \\`);
      current = indent + unit;
    } else current = longer;
  }
  return [...lines, current];
};
