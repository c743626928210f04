import { GLOBAL_OPTIONS } from '../argv/command-line.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import type { Argument, Declaration, Option } from '../command/options.ts';
import { TOPICS } from '../help/topics.ts';

/** A word of the command line and its description. */
export type Word = { readonly word: string; readonly description: string };

/**
 * The source of a value. `@keys` lists stored names, `a|b` lists the choices, `-` means any value. A switch has no
 * source.
 */
type Source = string;

/** Everything that the shells complete, by the command so far (`pay run`). */
export type Grammar = {
  /** The words that can follow. After no word, these are the command groups. */
  readonly commands: ReadonlyMap<string, readonly Word[]>;
  /** The options of each complete command: `--key=@keys --yes …`. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** A source for each argument, in order. The last one also applies to further arguments. After no word, the aliases. */
  readonly values: ReadonlyMap<string, readonly Source[]>;
  readonly globals: readonly string[];
  /** The description of each option. If commands differ, the first one is used. */
  readonly descriptions: ReadonlyMap<string, string>;
};

const ANYTHING = '-';

const sourceOf = async ({ completes, choices }: Declaration): Promise<Source | undefined> => {
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

/** One list for each complete command, by its words. */
const byPath = async <T>(commands: readonly Command[], of: (command: Command) => readonly Promise<T>[]) => {
  const entryOf = async (command: Command) => [command.words.join(' '), await Promise.all(of(command))] as const;
  return new Map(await Promise.all(commands.map(entryOf)));
};

const wordOf = ({ words, summary }: Command): Word => ({ word: words.at(-1) ?? '', description: summary });

const HELP: Word = { word: 'help', description: 'Print the help of a command, or of a topic' };

/** Reads the grammar of the program from the declarations of its commands. */
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
    values: new Map([
      ['', ['@aliases']],
      ...(await byPath(commands, (command) => (command.arguments ?? []).map(argumentSource))),
    ]),
    globals: await Promise.all(GLOBAL_OPTIONS.map(optionWord)),
    descriptions: new Map(options.toReversed().map(({ flag, description }) => [flag, description])),
  };
};

/**
 * A description as plain text, without characters that a shell would run. `apostrophe` is the escaped form in quotes.
 */
export const plainText = (description: string, apostrophe: string): string =>
  description
    .replaceAll(/["`“”$\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/['‘’]/g, apostrophe);

/** The lines of a table, one for each command that has words. */
export const tableLines = (
  of: ReadonlyMap<string, readonly string[]>,
  line: (path: string, words: readonly string[]) => string,
): string => {
  const filled = [...of].filter(([, words]) => words.length > 0);
  return filled.map(([path, words]) => line(path, words)).join('\n');
};

/** The flags and their descriptions. */
export const flagWords = ({ descriptions }: Grammar, apostrophe: string): readonly Word[] =>
  [...descriptions].map(([word, text]) => ({ word, description: plainText(text, apostrophe) }));
