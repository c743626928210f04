import { wrap } from '../../core/screen.ts';
import { AREAS } from '../command/areas.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { explanations } from '../commands/explain/explanation.ts';
import { KNOWN } from '../completion/known.ts';
import { areaPage } from '../help/area-page.ts';
import { leafPage } from '../help/command-page.ts';
import { ENVIRONMENT, itemOf } from '../help/environment.ts';
import { EXIT_CODES, EXIT_WORDS } from '../help/exit-words.ts';
import { fold } from '../help/lay-out.ts';
import { type Block, examplesOf, items, type Page, type PageLength, type Section, section } from '../help/page.ts';
import { pageOf, rootPage } from '../help/show.ts';
import { formatting } from '../help/topics/formatting.ts';
import { safety } from '../help/topics/safety.ts';
import { TOPICS } from '../help/topics.ts';

/** The version and the date in the header of every page. */
type Edition = { readonly version: string; readonly date: string };

/** A command group with its commands. */
type Area = { readonly area: CommandGroup; readonly leaves: readonly Command[] };

const FILES = [
  ['~/.config/bursar', 'Settings: profiles.json and aliases.json, and the keys that sign'],
  ['~/.local/state/bursar', 'The journal of all operations, and the sandbox'],
  ['~/.cache/bursar', 'Cached data that can be deleted'],
  ['bursar.json', 'Settings of a project, in its folder; never a key'],
] as const;

/** Joins lines to a page. Removes `.PP` after a heading, which already starts a paragraph. */
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
  const page = leafPage(command);
  const { name, usage = '', summary, about = [], sections } = page;
  const all = [...sections, ...examplesOf(page)];
  return [heading('SS', name), synopsis(usage), ...paragraphs([summary, ...about]), ...innerLines(all)];
};

const aloneLines = (command: Command): readonly string[] => {
  const page = leafPage(command);
  const { usage = '', summary, about = [], sections } = page;
  return [
    ...[heading('SH', 'SYNOPSIS'), synopsis(usage), heading('SH', 'DESCRIPTION')],
    ...paragraphs([summary, ...about]),
    ...sectionLines([...sections, ...examplesOf(page)]),
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

/** The man pages in roff: one for the program and one for each command group. */
const manPages = (all: readonly Area[], edition: Edition): readonly ManualFile[] => [
  { path: 'man/bursar.1', text: rootText(edition) },
  ...all.map((one) => ({ path: `man/bursar-${one.area.name}.1`, text: areaText(one, edition) })),
];

/** The maximum width of a source line. */
const WIDTH = 72;

/** Escapes a text for roff: dashes and backslashes print as themselves, and no line is a macro. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
    .replaceAll(
      /[^\n -~]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );

/** Escapes typed text for roff: quotes and accents stay ASCII characters. */
const typed = (text: string): string =>
  escaped(text).replaceAll("'", '\\(aq').replaceAll('`', '\\(ga').replaceAll('^', '\\(ha').replaceAll('~', '\\(ti');

const folded = (line: string): readonly string[] => fold(`$ ${line}`, WIDTH - 6, '      ');

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
      return `.PP\n.RS 4\n.EX\n${block.lines.flatMap(folded).map(typed).join('\n')}\n.EE\n.RE`;
    default:
      return block satisfies never;
  }
};

const blocksOf = ({ blocks }: Section): string => blocks.map(blockLines).join('\n');

/** A heading of a section (SH) or subsection (SS). */
const heading = (macro: 'SH' | 'SS', text: string): string => `.${macro} "${typed(text)}"`;

/** Sections, each with a heading. */
export const sectionLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap((one) => [heading('SH', one.heading.toUpperCase()), blocksOf(one)]);

const innerLines = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap((one) => [`.PP\n\\fI${typed(one.heading)}\\fR`, blocksOf(one)]);

const paragraphs = (texts: readonly string[]): readonly string[] => texts.map(paragraph);

const synopsis = (usage: string): string => `.B ${typed(usage)}`;

/** The header of a man page: `name` of its file, and `message` for lists of pages. */
const head = (name: string, message: string, { version, date }: Edition): string =>
  [
    `.nr HY 0\n.ds AD l\n.TH "${typed(name.toUpperCase())}" "1" "${date}" "bursar ${version}" "Manual of bursar"\n.nh\n.ad l`,
    heading('SH', 'NAME'),
    `${escaped(name)} \\- ${escaped(message)}`,
  ].join('\n');

/** A file of the package, by its path in dist/. */
type ManualFile = { readonly path: string; readonly text: string };

const allAreas = (): Promise<readonly Area[]> =>
  Promise.all(AREAS.map(async (area) => ({ area, leaves: await area.load() })));

/** The files that the build writes beside the program: man pages and the reference. */
export const manual = async (edition: Edition): Promise<readonly ManualFile[]> => {
  const all = await allAreas();
  const topics = await Promise.all(TOPICS.map(({ load }) => load()));
  return [...manPages(all, edition), { path: 'reference.md', text: reference(all, topics, edition) }];
};

/** Every page of help by the words that name it, whole and short, for `preparedPage`. */
export const helpPages = async (): Promise<Readonly<Record<string, Readonly<Record<PageLength, Page>>>>> => {
  const names = [
    ...TOPICS.map(({ name }) => name),
    ...(await allAreas()).flatMap(({ area, leaves }) => [area.name, ...leaves.map(({ words }) => words.join(' '))]),
  ];
  const pages = ['', ...new Set(names)].map(async (name) => {
    const words = name === '' ? [] : name.split(' ');
    const [whole, short] = await Promise.all([pageOf(words), pageOf(words, 'short')]);
    return [name, { whole, short }] as const;
  });
  return Object.fromEntries(await Promise.all(pages));
};

const areaMarkdown = ({ area, leaves: commands }: Area): string =>
  [
    pageMarkdown(areaPage(area, commands), 2),
    ...commands.filter(({ words }) => words.length === 2).map((command) => pageMarkdown(leafPage(command), 3)),
  ].join('\n\n');

const errorTable = (): string => {
  const rows = explanations()
    .filter(({ kind }) => kind !== 'exit code')
    .map(({ code, exit, means, money, hint }) => [`\`${code}\``, String(exit), ...[means, money, hint].map(plain)]);
  return tableMarkdown(['code', 'exit', 'means', 'has money moved', 'what to do'], rows);
};

/** The whole reference as one document: every command with its options and exit codes, the topics, and every error. */
export const reference = (all: readonly Area[], topics: readonly Page[], { version }: Edition): string =>
  `${[
    `# bursar ${version}: reference`,
    'Generated by the build from the same data as the help and the man pages.',
    pageMarkdown(rootPage(), 2),
    ...all.map(areaMarkdown),
    ...topics.map((topic) => pageMarkdown(topic, 2)),
    '## Errors',
    errorTable(),
  ].join('\n\n')}\n`;

/** Escapes a text for Markdown. */
const plain = (text: string): string => text.replaceAll(/[\\`*_<>[\]|#]/g, (sign) => `\\${sign}`);

const code = (text: string): string => `\`${text}\``;

const blockMarkdown = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return plain(block.text);
    case 'items':
      return block.items.map(([term, message]) => `- ${code(term)}: ${plain(message)}`).join('\n');
    case 'commands':
      return ['```sh', ...block.lines, '```'].join('\n');
    default:
      return block satisfies never;
  }
};

const sectionMarkdown = ({ heading, blocks }: Section): string =>
  [`**${heading}**`, ...blocks.map(blockMarkdown)].join('\n\n');

/** A page as Markdown, under a heading of that level. */
const pageMarkdown = (page: Page, level: number): string => {
  const { name, summary, usage, about = [], sections } = page;
  return [
    `${'#'.repeat(level)} ${name}`,
    plain(summary),
    ...(usage ? [`\`\`\`\n${usage}\n\`\`\``] : []),
    ...examplesOf(page).map(sectionMarkdown),
    ...about.map(plain),
    ...sections.map(sectionMarkdown),
  ].join('\n\n');
};

/** A table. Cells are Markdown already. */
const tableMarkdown = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The names that completion offers. The build writes them into the program. */
export const known = KNOWN;
