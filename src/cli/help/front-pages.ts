import { GLOBAL_OPTIONS } from '../argv/command-line.ts';
import { AREAS } from '../command/areas.ts';
import { GROUPS } from '../command/command.ts';
import { commands, items, optionItem, type Page, section } from './page.ts';
import { TOPICS } from './topics.ts';

const FRONT = {
  name: 'bursar',
  summary: 'Payments, yield and KYC from the command line, reviewed before they are signed.',
  usage: 'bursar <command> [options]',
  about: [],
} as const satisfies Omit<Page, 'sections'>;

const namesIn = (group: (typeof GROUPS)[number]): string =>
  AREAS.filter((area) => area.group === group)
    .map(({ name }) => name)
    .join(', ');

/** The page of `bursar` without a command. It fits a terminal of 24 lines. */
export const firstPage = (): Page => ({
  ...FRONT,
  sections: [
    ...section('Commands', items(GROUPS.map((group) => [group, namesIn(group)]))),
    ...section('To begin with', commands(['bursar demo', 'bursar help payments', 'bursar login'])),
    ...section(
      'More',
      items([
        ['bursar --help', 'Each command in a line, and the options of all'],
        ['bursar help COMMAND', 'One command: its options, examples and exit codes'],
        ['bursar help TOPIC', TOPICS.map(({ name }) => name).join(', ')],
      ]),
    ),
  ],
});

/** The page of `bursar --help`: one line for each command, then the global options. */
export const rootPage = (): Page => ({
  ...FRONT,
  sections: [
    ...GROUPS.flatMap((group) =>
      section(group, items(AREAS.filter((area) => area.group === group).map(({ name, summary }) => [name, summary]))),
    ),
    ...section(
      'Global options',
      items([
        ...GLOBAL_OPTIONS.map(optionItem),
        ['--version', 'Print the version'],
        ['-h, --help', 'Print help; also: bursar help COMMAND'],
      ]),
    ),
    ...section('Topics', items(TOPICS.map(({ name, summary }) => [`help ${name}`, summary]))),
  ],
});
