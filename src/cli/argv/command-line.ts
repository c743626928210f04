import { Failure } from '../../core/failure.ts';
import { isSwitchedOn } from '../../core/screen.ts';
import type { Io } from '../../io/io.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../command/options.ts';

/** One part of a command line: an option with its value, a plain word, or `--`. */
export type Part =
  /** A printed command has a shell variable in place of a secret word. `variable` is its name, as that of an option. */
  | { readonly kind: 'word'; readonly text: string; readonly variable?: string }
  /** `value` is undefined for a switch. `isInline` is true for a value after an equals sign (`--key=value`). */
  | { readonly kind: 'option'; readonly flag: string; readonly value: string | undefined; readonly isInline: boolean }
  /** `--`: only words follow. */
  | { readonly kind: 'end' };

/** The parts of an option that the reader needs. */
type KnownOption = Pick<Option, 'flag' | 'short' | 'value'>;

/** The words that a user typed after the program's name. */
export type CommandLine = {
  readonly argv: readonly string[];
  /** Whether a switch was typed. A value that looks like an option is a value only after an equals sign. */
  readonly has: (flag: string) => boolean;
  /** The same words as parts. Options of `known` that take a value contain it. */
  readonly parts: (known: readonly KnownOption[]) => readonly Part[];
  /** The words that are neither options nor their values. */
  readonly words: (known: readonly KnownOption[]) => readonly string[];
};

/** Whether a word is an option. `-` is standard input, and `-5` is a number. */
const isOptionWord = (word: string): boolean => /^(?:--?[a-z][\w-]*(?:=.*)?|--)$/is.test(word);

const optionPart = (word: string, next: string | undefined, known: readonly KnownOption[]): Part => {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  const typed = at < 0 ? word : word.slice(0, at);
  const option = known.find(({ flag, short }) => typed === flag || typed === short);
  const flag = option?.flag ?? typed;
  if (at >= 0) return { kind: 'option', flag, value: word.slice(at + 1), isInline: true };
  const isValue = option?.value !== undefined && next !== undefined && !isOptionWord(next);
  return { kind: 'option', flag, value: isValue ? next : undefined, isInline: false };
};

const readParts = (argv: readonly string[], known: readonly KnownOption[]): readonly Part[] => {
  const parts: Part[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') {
      const words = argv.slice(at + 1).map((text): Part => ({ kind: 'word', text }));
      return [...parts, { kind: 'end' }, ...words];
    }
    const part: Part = isOptionWord(word) ? optionPart(word, argv[at + 1], known) : { kind: 'word', text: word };
    parts.push(part);
    if (part.kind === 'option' && part.value !== undefined && !part.isInline) at += 1;
  }
  return parts;
};

/** Where a word of the line is among the typed words; -1 without it, or behind a `--`. */
const indexOfWord = (line: CommandLine, place: number, known: readonly KnownOption[]): number => {
  let [at, seen] = [0, 0];
  for (const part of line.parts(known)) {
    if (part.kind === 'end' || (part.kind === 'word' && seen++ === place)) return part.kind === 'end' ? -1 : at;
    at += part.kind === 'option' && part.value !== undefined && !part.isInline ? 2 : 1;
  }
  return -1;
};

/**
 * The line with `--` before the word at a place: what follows are words, also what looks like an option. A quoted text of
 * several words is whole already.
 */
export const withWordsFrom = (line: CommandLine, place: number, known: readonly KnownOption[]): CommandLine => {
  const at = indexOfWord(line, place, known);
  return at < 0 || /\s/.test(line.argv[at] ?? '')
    ? line
    : readCommandLine([...line.argv.slice(0, at), '--', ...line.argv.slice(at)]);
};

/** The line with other words in place of the word at a place. */
export const withWordReplaced = (
  line: CommandLine,
  place: number,
  words: readonly string[],
  known: readonly KnownOption[],
): CommandLine => {
  const at = indexOfWord(line, place, known);
  return at < 0 ? line : readCommandLine([...line.argv.slice(0, at), ...words, ...line.argv.slice(at + 1)]);
};

/** Reads the words that a user typed. All other code uses its result instead of the raw words. */
export const readCommandLine = (argv: readonly string[]): CommandLine => {
  const switches = readParts(argv, []);
  return {
    argv,
    has: (flag) => switches.some((part) => part.kind === 'option' && part.flag === flag),
    parts: (known) => readParts(argv, known),
    words: (known) => readParts(argv, known).flatMap((part) => (part.kind === 'word' ? [part.text] : [])),
  };
};

const DEFAULT_TIMEOUT_S = '120';

/** The options of every command. None has a secret as its value. */
export const GLOBAL_OPTIONS = [
  {
    flag: '--profile',
    value: 'NAME',
    completes: 'profiles',
    isOfService: true,
    description: 'Profile of the service to talk to; "sandbox" is built in',
  },
  { flag: '--base-url', value: 'URL', isOfService: true, description: 'Address of the service' },
  { flag: '--json', description: 'Print one JSON document, on success and on failure' },
  { flag: '--envelope', description: "Print the service's whole envelope (implies --json)" },
  { flag: '--fields', value: 'A,B', description: 'Print only these fields' },
  {
    flag: '--jq',
    value: 'EXPR',
    description: 'Print what a jq expression makes of the JSON; jq need not be installed',
  },
  { flag: '--quiet', description: 'Print only errors and warnings about money on stderr' },
  { flag: '--verbose', description: 'Print more on stderr' },
  { flag: '--debug', description: 'Show requests and answers on stderr, secrets masked' },
  { flag: '--dry-run', description: 'Print the request, send nothing' },
  { flag: '--curl', description: 'Print the request as a curl command, send nothing' },
  {
    flag: '--timeout',
    value: 'SECONDS',
    lastWins: true,
    usual: DEFAULT_TIMEOUT_S,
    description: 'Longest time for the whole command, without its questions',
  },
  { flag: '--yes', description: 'Answer every confirmation with yes' },
  { flag: '--no-input', description: 'Never ask; what is missing is an error' },
  { flag: '--no-color', description: 'No colour' },
] as const satisfies readonly Option[];

const timeoutOf = (text: string): number => {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400) {
    throw new Failure('usage', `--timeout: "${text}" is not a number of seconds above 0, and at most 86400`);
  }
  return seconds * 1000;
};

const namesIn = (list: string | undefined): readonly string[] | undefined => {
  const names = list
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names?.length === 0) throw new Failure('usage', '--fields names no field; give one or more, such as id,status');
  return names;
};

/** The fields to print. A dry run has no answer, so it ignores --fields. */
const fieldsOf = (given: ParsedArgs): readonly string[] | undefined => {
  const names = namesIn(stringArg(given, 'fields'));
  return boolArg(given, 'dry-run') ? undefined : names;
};

/** Reads the global options and the environment variables that replace them. */
export const globalsFrom = (given: ParsedArgs, env: Io['env']) => ({
  profile: stringArg(given, 'profile'),
  baseUrl: stringArg(given, 'base-url'),
  json: boolArg(given, 'json') || boolArg(given, 'envelope') || stringArg(given, 'jq') !== undefined,
  /** Whether a failure is printed as a JSON document on stdout. With --jq alone, stdout contains results only. */
  failsAsJson: boolArg(given, 'json') || boolArg(given, 'envelope'),
  envelope: boolArg(given, 'envelope'),
  fields: fieldsOf(given),
  /** A jq expression for the document that --json would print. */
  jq: stringArg(given, 'jq'),
  quiet: boolArg(given, 'quiet') || isSwitchedOn(env['BURSAR_QUIET']),
  verbose: boolArg(given, 'verbose'),
  debug: boolArg(given, 'debug'),
  dryRun: boolArg(given, 'dry-run'),
  curl: boolArg(given, 'curl'),
  timeoutMs: timeoutOf(stringArg(given, 'timeout') ?? DEFAULT_TIMEOUT_S),
  /** Whether the user gave --timeout. */
  hasTimeout: stringArg(given, 'timeout') !== undefined,
  yes: boolArg(given, 'yes'),
  noColour: boolArg(given, 'no-color'),
});

/** The values of the global options. */
export type Globals = Readonly<ReturnType<typeof globalsFrom>>;

/** Whether a command prints its request in place of sending it: --dry-run or --curl. */
export const isDryRun = ({ globals }: { readonly globals: Globals }): boolean => globals.dryRun || globals.curl;
