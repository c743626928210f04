import { ENDPOINTS } from '../../contract/index.ts';
import { GLOBAL_OPTIONS } from '../argv/globals.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { KNOWN_VALUES } from '../command/known-values.ts';
import type { Argument, Option } from '../command/options.ts';
import { withoutNotes } from '../command/without-notes.ts';
import { explanations } from '../commands/explain/explanation.ts';
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

/** Arguments that are too long to declare for anybody but a shell. */
const LISTED: Readonly<Record<string, () => readonly string[]>> = {
  ENDPOINT: () => ENDPOINTS.map(({ id }) => id),
  CODE: () => explanations().map(({ code }) => code),
};

const sourceOf = ({ completes }: { readonly completes?: Argument['completes'] | undefined }): Source | undefined =>
  typeof completes === 'string' ? `@${completes}` : completes?.join('|');

const optionSource = (option: Option): Source => {
  const { flag, value, choices, completes = KNOWN_VALUES[flag] } = option;
  return choices?.join('|') ?? sourceOf({ completes }) ?? (value === 'FILE' ? '@files' : ANYTHING);
};

const optionWord = (option: Option): string =>
  option.value === undefined ? option.flag : `${option.flag}=${optionSource(option)}`;

const argumentSource = (argument: Argument): Source =>
  LISTED[argument.name]?.().join('|') ?? sourceOf(argument) ?? ANYTHING;

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
  const byPath = <T>(of: (command: Command) => T) =>
    new Map(commands.map((command) => [command.words.join(' '), of(command)]));
  const options = [...GLOBAL_OPTIONS, ...commands.flatMap((command) => command.options ?? [])];
  return {
    commands: new Map([['', [...first, HELP]], ...verbs, ['help', [...first, ...topics]], ...helped]),
    options: byPath((command) => (command.options ?? []).map(optionWord)),
    values: byPath((command) => (command.arguments ?? []).map(argumentSource)),
    globals: GLOBAL_OPTIONS.map(optionWord),
    descriptions: new Map(options.toReversed().map(({ flag, description }) => [flag, withoutNotes(description)])),
  };
};
