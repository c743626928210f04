import { GLOBAL_OPTIONS } from '../argv/globals.ts';
import { AREAS } from '../command/areas.ts';
import { GROUPS } from '../command/command.ts';
import { optionItem } from './option-item.ts';
import { items, type Page, section } from './page.ts';
import { TOPICS } from './topics.ts';

/** The first page. */
export const rootPage = (): Page => ({
  name: 'bursar',
  summary: 'Payments, yield and KYC from the command line, reviewed before they are signed.',
  usage: 'bursar <command> [options]',
  about: [],
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
