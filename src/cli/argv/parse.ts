import { Command as Parser, Option as ParserOption } from 'commander';
import { isNear } from '../../core/closest.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { commandLine } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { assertDeclared } from '../../output/render.ts';
import { AREAS } from '../command/areas.ts';
import { type Command, type CommandGroup, isCalledBy } from '../command/command.ts';
import type { Option, ParsedArgs } from '../command/options.ts';
import { newShared, openCli, orInterrupted } from '../context/context.ts';
import { completeNext, type TypedLine, withScriptOptions, withSecretWords } from '../print/next-command.ts';
import { assertEnvelope } from '../print/print-result.ts';
import { assertPrivateHome } from '../profiles/store.ts';
import {
  type CommandLine,
  GLOBAL_OPTIONS,
  type Globals,
  globalsFrom,
  isDryRun,
  withWordsFrom,
} from './command-line.ts';
import { runAsking } from './run-asking.ts';

/** Checks the output options before anything is done. Throws `usage`. */
const assertOutput = async (command: Command, globals: Globals, given: ParsedArgs): Promise<void> => {
  if (isDryRun({ globals }) && !command.supportsDryRun) {
    throw new Failure('usage', `${command.words.join(' ')} is no single request: it has neither --dry-run nor --curl`, {
      hint: 'Nothing was done.',
    });
  }
  if (globals.envelope) assertEnvelope(command, given);
  if (globals.jq !== undefined) await (await import('../../output/jq.ts')).assertJq(globals.jq);
  const declared = globals.fields && !globals.envelope ? command.answers?.() : undefined;
  if (globals.fields && declared) assertDeclared(globals.fields, declared, isNear);
};

/** The global options, checked. Throws `usage` or `invalid_input`, with the help of the command as its next command. */
const checkedGlobals = async (io: Io, command: Command, given: ParsedArgs): Promise<Globals> => {
  try {
    const globals = globalsFrom(given, io.env);
    await assertOutput(command, globals, given);
    return globals;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { namingNext } = await import('../prompt/name-next.ts');
    throw namingNext(command, error);
  }
};

const forKnownKey = async (io: Io, failure: Failure): Promise<Failure> =>
  (await import('../commands/kyc/subject.ts')).forKnownKey(io, failure);

/**
 * Runs a command. At a terminal it asks for missing values; elsewhere it throws an error that lists them. A failure
 * names the next command, with the options of the same service.
 */
const runCommand = async (io: Io, version: string, command: Command, typed: TypedLine): Promise<void> => {
  try {
    // `doctor` reports unsafe folders itself.
    if (!command.allowsOpenHome) await assertPrivateHome(io);
    const globals = await checkedGlobals(io, command, typed.given);
    const shared = newShared(typed);
    const open = () => openCli(io, globals, version, shared);
    const work = runAsking(command, open, typed.given);
    await orInterrupted(io, work, shared, command.interruptGraceMs);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const failure = command.isStream ? withDetails(error, { isOfStream: true, cause: error.cause }) : error;
    if (failure.details.next === undefined) throw failure;
    const { details } = failure.details.next.id === 'kyc.start' ? await forKnownKey(io, failure) : failure;
    const next = details.next && completeNext(typed, withScriptOptions(io, details.next));
    const followUp = details.followUp && commandLine(completeNext(typed, details.followUp));
    const hint = followUp === undefined ? details.hint : `${details.hint}: ${followUp}`;
    throw new Failure(error.code, error.sentence, { ...details, hint, next, cause: error.cause });
  }
};

const HELP: Option = { flag: '--help', short: '-h', description: 'Print help' };
const VERSION: Option = { flag: '--version', short: '-v', description: 'Print the version' };

/** Options that every command accepts. */
const OF_ALL: readonly Option[] = [...GLOBAL_OPTIONS, HELP, VERSION];

type Mistakes = typeof import('./mistakes.ts');

const failWith = async (make: (mistakes: Mistakes) => Failure): Promise<never> => {
  throw make(await import('./mistakes.ts'));
};

/** The word at a position. Throws `usage` for an unknown option before it. */
const wordAt = async (line: CommandLine, place: number, words: readonly string[]): Promise<string | undefined> => {
  let seen = 0;
  for (const part of line.parts(OF_ALL)) {
    if (part.kind === 'word' && seen++ === place) return part.text;
    if (part.kind !== 'option' || OF_ALL.some(({ flag }) => flag === part.flag)) continue;
    await failWith(({ unknownOption }) => unknownOption(words, part.flag, OF_ALL));
  }
  return undefined;
};

/** The group that the first word names. Throws `usage`. */
const groupOf = async (line: CommandLine): Promise<CommandGroup> => {
  const name = await wordAt(line, 0, []);
  if (name === undefined) return failWith(({ noCommand }) => noCommand());
  const names = AREAS.map((group) => group.name);
  const found = AREAS.find((group) => group.name === name);
  return found ?? failWith(({ unknownCommand }) => unknownCommand([], name, [...names, 'help']));
};

/** Loads the commands of a group. `whole` is set for a group that is a command itself, such as `login`. */
const commandsOf = async (line: CommandLine, group: CommandGroup) => {
  const commands = await group.load(line.words(OF_ALL)[1]);
  return { commands, whole: commands.find(({ words }) => words.length === 1) };
};

/** Whether the line names a group of commands and nothing else: its help is printed. */
const isGroupAlone = async (line: CommandLine, group: CommandGroup): Promise<boolean> => {
  const others = line.parts(OF_ALL).slice(1);
  if (others.some((part) => part.kind !== 'option' || part.flag !== '--no-color')) return false;
  return (await commandsOf(line, group)).whole === undefined;
};

/** The command that the first words name. Throws `usage`. */
const commandOf = async (line: CommandLine, group: CommandGroup): Promise<Command> => {
  const { commands, whole } = await commandsOf(line, group);
  if (whole) return whole;
  const verb = await wordAt(line, 1, [group.name]);
  if (verb === undefined) return failWith(({ missingVerb: notWhole }) => notWhole(group, commands));
  const known = commands.map(({ words }) => words[1] ?? '');
  const found = commands.find((command) => isCalledBy(command, verb));
  return found ?? failWith(({ unknownCommand }) => unknownCommand([group.name], verb, known));
};

/** Collects all values of an option. The number of values is checked after parsing. */
const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

const toParserOption = ({ flag, short, value, description }: Option): ParserOption => {
  const flags = short ? `${short}, ${flag}` : flag;
  const option = new ParserOption(value ? `${flags} <${value}>` : flags, description);
  if (value) option.argParser(collect);
  // commander reads `--no-x` as the opposite of `x`; here `no-x` is an option of its own.
  option.attributeName = () => flag.slice(2);
  option.negate = false;
  return option;
};

const parserOf = (options: readonly Option[]): Parser => {
  const parser = new Parser().exitOverride().helpOption(false).helpCommand(false);
  for (const option of options) parser.addOption(toParserOption(option));
  return parser;
};

/** Throws `usage` for an option whose value is missing. Another option does not count as a value. */
const assertValues = async (line: CommandLine, { words }: Command, options: readonly Option[]): Promise<void> => {
  for (const part of line.parts(options)) {
    if (part.kind !== 'option' || part.value !== undefined) continue;
    const option = options.find(({ flag, value }) => flag === part.flag && value !== undefined);
    if (option) await failWith(({ missingValue }) => missingValue(words, option));
  }
};

/** The value of one option. Throws `usage` for a second value of a single option, and for an invalid value. */
const typedValue = async (command: Command, option: Option, typed: unknown): Promise<ParsedArgs[string]> => {
  if (!Array.isArray(typed)) return typed === true ? true : undefined;
  const { choices, check, isOwnValue, isRepeatable, lastWins } = option;
  const values: readonly string[] = typed;
  const wrong = choices && values.find((value) => !choices.includes(value));
  if (wrong !== undefined) await failWith(({ wrongChoice }) => wrongChoice(command, option, wrong));
  for (const value of isOwnValue ? values : []) {
    const problem = check?.(value);
    if (problem !== undefined) await failWith(({ wrongValue }) => wrongValue(command, option, `"${value}" ${problem}`));
  }
  if (isRepeatable) return values;
  if (values.length > 1 && !lastWins) await failWith(({ givenTwice }) => givenTwice(command.words, option));
  return values.at(-1);
};

const assertKnown = async (command: Command, options: readonly Option[], [unknown]: readonly string[]) => {
  const flag = unknown?.split('=')[0];
  if (flag === undefined) return;
  const place = command.arguments?.find(({ belowZero }) => belowZero !== undefined);
  if (place && /^-\d/.test(flag)) await failWith(({ negative }) => negative(command.words, place));
  const kind = options.some((option) => option.flag === flag) ? 'switchWithValue' : 'unknownOption';
  await failWith((mistakes) => mistakes[kind](command.words, flag, options));
};

/**
 * Reads options and arguments. The argument PAYMENT_ID becomes the name `payment_id`. Throws `usage` for anything else.
 */
const readArgs = async (line: CommandLine, command: Command, options: readonly Option[]): Promise<ParsedArgs> => {
  await assertValues(line, command, options);
  const parser = parserOf(options);
  const { operands, unknown } = parser.parseOptions([...line.argv]);
  await assertKnown(command, options, unknown);
  const words = operands.slice(command.words.length);
  const places = command.arguments ?? [];
  const rest = places.some(({ isRepeatable }) => isRepeatable) ? [] : words.slice(places.length);
  if (rest.length > 0) await failWith(({ tooMany }) => tooMany(command, rest));
  const raw = parser.opts();
  const given: Record<string, ParsedArgs[string]> = {};
  for (const option of options) {
    const name = option.flag.slice(2);
    const value = await typedValue(command, option, raw[name]);
    if (value !== undefined) given[name] = value;
  }
  for (const [at, { name, isRepeatable }] of places.entries())
    given[name.toLowerCase()] = isRepeatable ? words.slice(at) : words[at];
  return given;
};

/** The words that the user wants help about. `help` may also follow the name of a group: `pay help run`. */
const helpSubject = async (line: CommandLine): Promise<readonly string[] | undefined> => {
  const [first, second, ...rest] = line.words(OF_ALL);
  if (first === 'help') return second === undefined ? [] : [second, ...rest];
  const isOption = line.has('--help') || line.has('-h');
  if (!isOption && second !== 'help') return undefined;
  const group = AREAS.find(({ name }) => name === first);
  if (!group) return isOption ? [first ?? ''].filter(Boolean) : undefined;
  const { commands, whole } = await commandsOf(line, group);
  if (isOption) return (whole ?? commands.find((command) => isCalledBy(command, second)))?.words ?? [group.name];
  return whole ? undefined : [group.name, ...rest];
};

/**
 * Runs the command of a command line. For a help request it returns the words to explain; an empty list is the program
 * itself. Throws `usage` for an invalid line.
 */
export const parseAndRun = async (io: Io, typed: CommandLine, version: string) => {
  const isCommand = (word: string) => AREAS.some(({ name }) => name === word);
  const [first, second] = typed.words(OF_ALL);
  const name = first === 'help' ? second : first;
  const isKnown = name === undefined || isCommand(name);
  const line = isKnown ? typed : await (await import('./aliases.ts')).withoutAlias(io, typed, OF_ALL, isCommand);
  const about = await helpSubject(line);
  if (about) return about;
  if (line.has('--version') || line.has('-v')) return io.stdout.write(`${version}\n`).then(() => undefined);
  const group = await groupOf(line);
  if (await isGroupAlone(line, group)) return [group.name];
  const command = await commandOf(line, group);
  const options = [...OF_ALL, ...(command.options ?? [])];
  const verbatim = command.arguments?.findIndex(({ isVerbatim }) => isVerbatim) ?? -1;
  const own = verbatim < 0 ? line : withWordsFrom(line, command.words.length + verbatim, options);
  const given = await readArgs(own, command, options);
  const parts = withSecretWords(command, own.parts(options));
  await runCommand(io, version, command, { argv: own.argv, given, parts, options });
  return undefined;
};
