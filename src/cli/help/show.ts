import { closest } from '../../core/closest.ts';
import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { AREAS } from '../command/areas.ts';
import type { Command } from '../command/command.ts';
import { rootPage } from './front-pages.ts';
import { layOut, lookOf } from './lay-out.ts';
import type { Page } from './page.ts';
import { TOPICS } from './topics.ts';

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

/** The help page for the given words: the program, a topic, a group or a command. Throws `usage`. */
export const pageOf = async ([first, verb, ...rest]: readonly string[]): Promise<Page> => {
  if (first === undefined || (first === 'help' && verb === undefined)) return rootPage();
  const topic = TOPICS.find(({ name }) => name === first);
  if (topic && verb === undefined) return topic.load();
  const area = AREAS.find(({ name }) => name === first);
  if (!area) {
    const known = [...AREAS, ...TOPICS].map(({ name }) => name);
    throw noSuch(first, known, 'command or topic', nextStep('help'));
  }
  const commands = await area.load(verb);
  const command = commands.find(({ words }) => words[1] !== undefined && words[1] === verb);
  if (verb === undefined) return (await import('./area-page.ts')).areaPage(area, commands);
  if (command && isOfLeaf(command, rest)) return (await import('./command-page.ts')).leafPage(command);
  const verbs = commands.flatMap(({ words }) => words[1] ?? []);
  throw noSuch([verb, ...rest].join(' '), verbs, `command of ${first}`, nextStep('help', first));
};

/** Prints a page as text for standard output. */
export const shown = (io: Io, page: Page, noColour: boolean): string => layOut(page, lookOf(io, noColour));
