import { GLOBAL_OPTIONS } from '../argv/globals.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import type { Argument, Declared, Option } from '../command/options.ts';
import { TOPICS } from '../help/topics.ts';

/** A word of the command line and what it stands for. */
export type Word = { readonly word: string; readonly description: string };

/**
 * What a value may be: `@keys` and the like are asked of this machine, `a|b` are all there are, `-` is anything, and
 * an option without a value has nothing.
 */
type Source = string;

/** What the shells complete: every word, and the source of each value, by the command so far (`pay run`). */
export type Grammar = {
  /** The words that go on from a command; from nothing they are the areas. */
  readonly commands: ReadonlyMap<string, readonly Word[]>;
  /** `--key=@keys --yes …` of each whole command. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** A source for each argument, in their order; the last of a repeatable one counts for all that follow. */
  readonly values: ReadonlyMap<string, readonly Source[]>;
  readonly globals: readonly string[];
  /** The description of each option; where commands differ, the first that has it. */
  readonly descriptions: ReadonlyMap<string, string>;
};

const ANYTHING = '-';

const sourceOf = async ({ completes, choices }: Declared): Promise<Source | undefined> => {
  if (choices) return choices.join('|');
  if (typeof completes === 'string') return `@${completes}`;
  return (typeof completes === 'function' ? await completes() : completes)?.join('|');
};

const optionWord = async (option: Option): Promise<string> => {
  const { flag, value } = option;
  if (value === undefined) return flag;
  return `${flag}=${(await sourceOf(option)) ?? (value === 'FILE' ? '@files' : ANYTHING)}`;
};

const argumentSource = async (argument: Argument): Promise<Source> => (await sourceOf(argument)) ?? ANYTHING;

/** What each whole command has, by its words. */
const byPath = async <T>(commands: readonly Command[], of: (command: Command) => readonly Promise<T>[]) =>
  new Map(
    await Promise.all(
      commands.map(async (command) => [command.words.join(' '), await Promise.all(of(command))] as const),
    ),
  );

const wordOf = ({ words, summary }: Command): Word => ({ word: words.at(-1) ?? '', description: summary });

const HELP: Word = { word: 'help', description: 'Print the help of a command, or of a topic' };

/** The grammar of the whole program, read from the declarations of its commands. */
export const readGrammar = async (entries: readonly CommandGroup[]): Promise<Grammar> => {
  const areas = await Promise.all(
    entries.map(async ({ name, summary, load }) => ({ name, summary, leaves: await load() })),
  );
  const commands = areas.flatMap((area) => area.leaves);
  const verbs = areas.flatMap(({ name, leaves: own }) => {
    const whole = own.filter(({ words }) => words.length === 2);
    return whole.length === 0 ? [] : [[name, whole.map(wordOf)] as const];
  });
  const first = areas.map(({ name, summary }) => ({ word: name, description: summary }));
  const topics = TOPICS.map(({ name, summary }) => ({ word: name, description: summary }));
  const helped = verbs.map(([name, words]) => [`help ${name}`, words] as const);
  const options: readonly Option[] = [...GLOBAL_OPTIONS, ...commands.flatMap((command) => command.options ?? [])];
  return {
    commands: new Map([['', [...first, HELP]], ...verbs, ['help', [...first, ...topics]], ...helped]),
    options: await byPath(commands, (command) => (command.options ?? []).map(optionWord)),
    values: await byPath(commands, (command) => (command.arguments ?? []).map(argumentSource)),
    globals: await Promise.all(GLOBAL_OPTIONS.map(optionWord)),
    descriptions: new Map(options.toReversed().map(({ flag, description }) => [flag, description])),
  };
};

/**
 * What a shell shows beside a word: plain text, without anything that would start something. An apostrophe ends a text in
 * quotes: each shell has its own way to write one.
 */
export const plainText = (says: string, apostrophe: string): string =>
  says
    .replaceAll(/["`“”$\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/['‘’]/g, apostrophe);

/** The flags of the program and what each describes, for the shells that show it. */
export const flagWords = ({ descriptions }: Grammar, apostrophe: string): readonly Word[] =>
  [...descriptions].map(([word, text]) => ({ word, description: plainText(text, apostrophe) }));
