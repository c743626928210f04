import { AREAS } from '../command/areas.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { leafPage } from '../help/command-page.ts';
import { ENVIRONMENT, itemOf } from '../help/environment.ts';
import { EXIT_CODES, EXIT_WORDS } from '../help/exit-words.ts';
import { items, section } from '../help/page.ts';
import { rootPage } from '../help/root-page.ts';
import { formatting } from '../help/topics/formatting.ts';
import { safety } from '../help/topics/safety.ts';
import { head, heading, innerLines, paragraphs, sectionLines, synopsis } from './roff.ts';

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
