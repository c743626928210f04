import { wrap } from '../../core/wrap.ts';
import { AREAS } from '../command/areas.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { leafPage } from '../help/command-page.ts';
import { ENVIRONMENT, itemOf } from '../help/environment.ts';
import { EXIT_CODES, EXIT_WORDS } from '../help/exit-words.ts';
import { rootPage } from '../help/front-pages.ts';
import { type Block, items, type Section, section } from '../help/page.ts';
import { formatting } from '../help/topics/formatting.ts';
import { safety } from '../help/topics/safety.ts';

/** What stands on top of every page. */
export type Edition = { readonly version: string; readonly date: string };

/** An area with its commands. */
export type Area = { readonly area: CommandGroup; readonly leaves: readonly Command[] };

/** `name` is that of the file; the text is roff. */
export type ManPage = { readonly name: string; readonly text: string };

const FILES = [
  ['~/.config/bursar', 'Settings: profiles.json, and the keys that sign'],
  ['~/.local/state/bursar', 'The journal of every movement of money, and the sandbox'],
  ['~/.cache/bursar', 'What may be lost'],
  ['bursar.json', 'Settings of a project, in its folder; never a key'],
] as const;

/** A heading begins a paragraph by itself. */
const whole = (...lines: readonly string[]): string =>
  `${lines.join('\n').replaceAll(/^(\.S[HS] .*)\n\.PP$/gm, '$1')}\n`;

const seeAlso = (names: readonly string[]): readonly string[] => [
  heading('SH', 'SEE ALSO'),
  names.map((name) => `.BR ${name.replaceAll('-', '\\-')} (1)`).join(' ,\n'),
];

const rootText = (edition: Edition): string => {
  const page = rootPage();
  const sections = page.sections.filter((one) => one.heading !== 'Topics');
  return whole(
    head('bursar', 'take, review and sign payments, yield and KYC', edition),
    heading('SH', 'SYNOPSIS'),
    synopsis(page.usage ?? ''),
    heading('SH', 'DESCRIPTION'),
    ...paragraphs([page.summary]),
    ...sectionLines([
      ...sections,
      ...section('Exit status', items(EXIT_CODES.map((exit) => [String(exit), EXIT_WORDS[exit].means]))),
      ...section('Environment', items(ENVIRONMENT.map(itemOf))),
      ...section('Files', items(FILES)),
    ]),
    ...[formatting, safety].flatMap((topic) => [
      heading('SH', topic.name.toUpperCase()),
      ...paragraphs([topic.summary]),
      ...innerLines(topic.sections),
    ]),
    ...seeAlso(AREAS.map(({ name }) => `bursar-${name}`)),
  );
};

const leafLines = (command: Command): readonly string[] => {
  const { name, usage = '', summary, about, sections } = leafPage(command);
  return [heading('SS', name), synopsis(usage), ...paragraphs([summary, ...about]), ...innerLines(sections)];
};

const aloneLines = (command: Command): readonly string[] => {
  const { usage = '', summary, about, sections } = leafPage(command);
  return [
    ...[heading('SH', 'SYNOPSIS'), synopsis(usage), heading('SH', 'DESCRIPTION')],
    ...paragraphs([summary, ...about]),
    ...sectionLines(sections),
  ];
};

const areaLines = ({ area, leaves: commands }: Area): readonly string[] => [
  ...[heading('SH', 'SYNOPSIS'), synopsis(`bursar ${area.name} <command> [options]`)],
  ...[heading('SH', 'DESCRIPTION'), ...paragraphs([`${area.summary}.`])],
  ...[heading('SH', 'COMMANDS'), ...commands.flatMap(leafLines)],
];

const areaText = (one: Area, edition: Edition): string => {
  const [only] = one.leaves;
  const lines = only && only.words.length === 1 ? aloneLines(only) : areaLines(one);
  return whole(head(`bursar-${one.area.name}`, one.area.summary, edition), ...lines, ...seeAlso(['bursar']));
};

/** The man pages: one of the program and one of each area. */
export const manPages = (all: readonly Area[], edition: Edition): readonly ManPage[] => [
  { name: 'bursar.1', text: rootText(edition) },
  ...all.map((one) => ({ name: `bursar-${one.area.name}.1`, text: areaText(one, edition) })),
];

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
      return block.items
        .map(([term, message]) => `.TP\n\\fB${typed(term)}\\fR\n${escaped(wrap(message, WIDTH))}`)
        .join('\n');
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
const heading = (macro: 'SH' | 'SS', text: string): string => `.${macro} "${typed(text)}"`;

/** Sections with a heading each. */
export const sectionLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap((one) => [heading('SH', one.heading.toUpperCase()), blocksOf(one)]);

/** Sections below a heading: a word of their own introduces each. */
const innerLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap((one) => [`.PP\n\\fI${typed(one.heading)}\\fR`, blocksOf(one)]);

/** One paragraph for each text. */
const paragraphs = (texts: readonly string[]): readonly string[] => texts.map(paragraph);

/** How a command is called. */
const synopsis = (usage: string): string => `.B ${typed(usage)}`;

/** What a man page begins with; `name` is the file's, `of` what it stands for in lists. */
const head = (name: string, message: string, { version, date }: { version: string; date: string }): string =>
  [
    `.TH "${typed(name.toUpperCase())}" "1" "${date}" "bursar ${version}" "Manual of bursar"`,
    heading('SH', 'NAME'),
    `${escaped(name)} \\- ${escaped(message)}`,
  ].join('\n');
