import { wrap } from '../../core/wrap.ts';
import type { Io } from '../../io/io.ts';
import { palette, wantsColour } from '../../output/colour.ts';
import type { Block, Item, Page, Section } from './page.ts';

/** Wider lines are hard to read. */
const WIDEST = 100;
const WIDEST_TERM = 32;
const NARROWEST_TEXT = 28;

/** How help looks where it is printed. */
type Look = { readonly columns: number; readonly paint: ReturnType<typeof palette> };

/** How help looks on standard output. */
export const lookOf = ({ env, stdout }: Io, noColour: boolean): Look => ({
  columns: stdout.columns,
  paint: palette(wantsColour(env, stdout, noColour)),
});

const besides = ([term, says]: Item, width: number, columns: number): string => {
  const indent = ' '.repeat(width + 4);
  const start = `  ${term.padEnd(width)}  `;
  if (term.length > width) return `  ${term}\n${wrap(indent + says, columns, indent)}`;
  return start + wrap(indent + says, columns, indent).slice(indent.length);
};

const below = ([term, says]: Item, columns: number): string => `  ${term}\n${wrap(`      ${says}`, columns, '      ')}`;

/** Terms in a column of their own, or above what they mean where there is no room beside them. */
const itemLines = (all: readonly Item[], columns: number): string => {
  const width = Math.min(WIDEST_TERM, Math.max(...all.map(([term]) => term.length)));
  const isNarrow = columns - width - 4 < NARROWEST_TEXT;
  return all.map((item) => (isNarrow ? below(item, columns) : besides(item, width, columns))).join('\n');
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
    default: {
      const never: never = block;
      return never;
    }
  }
};

const sectionLines = ({ heading, blocks }: Section, { columns, paint }: Look): string =>
  `${paint.bold(`${heading}:`)}\n${blocks.map((block) => blockLines(block, columns)).join('\n')}\n`;

/** A page as text that fits a terminal. */
export const layOut = ({ summary, usage, about, sections }: Page, look: Look): string => {
  const fitting = { ...look, columns: Math.min(look.columns, WIDEST) };
  const { columns, paint } = fitting;
  return [
    `${wrap(summary, columns)}\n`,
    ...(usage ? [`${paint.bold('Usage:')} ${fold(usage, columns - 7, '  ').join('\n')}\n`] : []),
    ...(about.length > 0 ? [about.map((line) => `${wrap(line, columns)}\n`).join('')] : []),
    ...sections.map((one) => sectionLines(one, fitting)),
  ].join('\n');
};

/** The words of a command line; what is quoted stays one. */
const wordsOf = (line: string): readonly string[] => line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];

/** An option goes with its value, and a sign of the shell with what follows it. */
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

/** A command line no wider than `columns`, broken where the shell allows it: it can be pasted as it stands. */
const fold = (line: string, columns: number, indent = '    '): readonly string[] => {
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
