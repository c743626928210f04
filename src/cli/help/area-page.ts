import type { Command, CommandGroup } from '../command/command.ts';
import { groupedLeaves } from './command-groups.ts';
import { leafPage } from './command-page.ts';
import { commands, items, type Page, section, text } from './page.ts';

const listOf = ({ name, summary }: CommandGroup, members: readonly Command[]): Page => ({
  name: `bursar ${name}`,
  summary: `${summary}.`,
  usage: `bursar ${name} <command> [options]`,
  about: [],
  sections: [
    ...groupedLeaves(name, members).flatMap(({ heading, leaves: those }) =>
      section(heading, items(those.map(({ words, summary: says }) => [words[1] ?? '', says]))),
    ),
    ...section(
      'Examples',
      commands(
        members
          .slice(0, 3)
          .flatMap(({ examples }) => examples.slice(0, 1))
          .map((line) => `bursar ${line}`),
      ),
    ),
    ...section('More', ...text(`One command with its options: bursar help ${name} COMMAND`)),
  ],
});

/** The page of an area; where it is one command, that of the command. */
export const areaPage = (area: CommandGroup, members: readonly Command[]): Page => {
  const [only] = members;
  return only && only.words.length === 1 ? leafPage(only) : listOf(area, members);
};
