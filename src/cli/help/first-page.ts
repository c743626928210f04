import { AREAS } from '../command/areas.ts';
import { GROUPS } from '../command/command.ts';
import { commands, items, type Page, section } from './page.ts';
import { TOPICS } from './topics.ts';

const namesIn = (group: (typeof GROUPS)[number]): string =>
  AREAS.filter((area) => area.group === group)
    .map(({ name }) => name)
    .join(', ');

/** What bursar alone says: all of it fits a terminal of 24 lines. */
export const firstPage = (): Page => ({
  name: 'bursar',
  summary: 'Payments, yield and KYC from the command line, reviewed before they are signed.',
  usage: 'bursar <command> [options]',
  about: [],
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
