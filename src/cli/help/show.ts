import { closest } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { GLOBAL_OPTIONS } from '../argv/command-line.ts';
import { AREAS } from '../command/areas.ts';
import { type Command, GROUPS, isCalledBy } from '../command/command.ts';
import { commands, items, optionItem, type Page, type PageLength, section } from './page.ts';
import { TOPICS } from './topics.ts';

const FRONT = {
  name: 'bursar',
  summary: 'Payments, yield and KYC from the command line, reviewed before they are signed.',
  usage: 'bursar <command> [options]',
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
        ['bursar COMMAND -h', 'One command in short; --help prints all of it'],
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
        ['-v, --version', 'Print the version'],
        ['-h, --help', 'Print help: -h in short, --help whole; also: bursar help COMMAND'],
      ]),
    ),
    ...section('Topics', items(TOPICS.map(({ name, summary }) => [`help ${name}`, summary]))),
  ],
});

const hintFor = (word: string, known: readonly string[]): string | undefined => {
  const meant = closest(word, known);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return known.length > 0 ? `There are ${known.join(', ')}.` : undefined;
};

const noSuch = (word: string, known: readonly string[], what: string, next: NextStep): Failure =>
  new Failure('usage', `there is no ${what} "${word}"`, { hint: hintFor(word, known), next });

/** Whether a further word is a value of the command's first argument, as in `help key policy set`. */
const isOfLeaf = ({ arguments: [first] = [] }: Command, rest: readonly string[]): boolean =>
  rest.length === 0 ||
  (rest.length === 1 && typeof first?.completes === 'object' && first.completes.includes(rest[0] ?? ''));

/** How pages of commands are made: whole (`--help`), or to fit a terminal (`-h`). */
const PAGES = {
  whole: async () => {
    const [{ areaPage }, { leafPage }] = await Promise.all([import('./area-page.ts'), import('./command-page.ts')]);
    return { rootPage, areaPage, leafPage };
  },
  short: async () => {
    const { shortAreaPage, shortLeafPage } = await import('./short-page.ts');
    return { rootPage: firstPage, areaPage: shortAreaPage, leafPage: shortLeafPage };
  },
} as const;

/** The help page for the given words: the program, a topic, a group or a command. Throws `usage`. */
export const pageOf = async (
  [first, verb, ...rest]: readonly string[],
  length: PageLength = 'whole',
): Promise<Page> => {
  const make = await PAGES[length]();
  if (first === undefined || (first === 'help' && verb === undefined)) return make.rootPage();
  const topic = TOPICS.find(({ name }) => name === first);
  if (topic && verb === undefined) return topic.load();
  const area = AREAS.find(({ name }) => name === first);
  if (!area) {
    const known = [...AREAS, ...TOPICS].map(({ name }) => name);
    throw noSuch(first, known, 'command or topic', nextStep('help'));
  }
  const commands = await area.load(verb);
  const command = commands.find((each) => isCalledBy(each, verb));
  if (verb === undefined) return make.areaPage(area, commands);
  if (command && isOfLeaf(command, rest)) return make.leafPage(command);
  const verbs = commands.flatMap(({ words }) => words[1] ?? []);
  throw noSuch([verb, ...rest].join(' '), verbs, `command of ${first}`, nextStep('help', first));
};
