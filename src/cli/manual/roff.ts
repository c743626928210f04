import { wrap } from '../../core/wrap.ts';
import type { Block, Section } from '../help/page.ts';

/** No line of the source is wider. */
const WIDTH = 72;

/** Text as roff prints it: a dash stays a dash, a backslash itself, and no line is taken for a macro. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
    .replaceAll(
      /[^\n -~]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );

/** What is typed is not made typographic: quotes and accents stay those of ASCII. */
const typed = (text: string): string =>
  escaped(text).replaceAll("'", '\\(aq').replaceAll('`', '\\(ga').replaceAll('^', '\\(ha').replaceAll('~', '\\(ti');

const paragraph = (text: string): string => `.PP\n${escaped(wrap(text, WIDTH))}`;

const blockLines = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return paragraph(block.text);
    case 'items':
      return block.items.map(([term, says]) => `.TP\n\\fB${typed(term)}\\fR\n${escaped(wrap(says, WIDTH))}`).join('\n');
    case 'commands':
      return `.PP\n.RS 4\n.EX\n${block.lines.map((line) => typed(`$ ${line}`)).join('\n')}\n.EE\n.RE`;
    default: {
      const never: never = block;
      return never;
    }
  }
};

const blocksOf = ({ blocks }: Section): string => blocks.map(blockLines).join('\n');

/** A heading of a section or of a part of one. */
export const heading = (macro: 'SH' | 'SS', text: string): string => `.${macro} "${typed(text)}"`;

/** Sections with a heading each. */
export const sectionLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap((one) => [heading('SH', one.heading.toUpperCase()), blocksOf(one)]);

/** Sections below a heading: a word of their own introduces each. */
export const innerLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap((one) => [`.PP\n\\fI${typed(one.heading)}\\fR`, blocksOf(one)]);

/** One paragraph for each text. */
export const paragraphs = (texts: readonly string[]): readonly string[] => texts.map(paragraph);

/** How a command is called. */
export const synopsis = (usage: string): string => `.B ${typed(usage)}`;

/** What a man page begins with; `name` is the file's, `of` what it stands for in lists. */
export const head = (name: string, says: string, { version, date }: { version: string; date: string }): string =>
  [
    `.TH "${typed(name.toUpperCase())}" "1" "${date}" "bursar ${version}" "Manual of bursar"`,
    heading('SH', 'NAME'),
    `${escaped(name)} \\- ${escaped(says)}`,
  ].join('\n');
