import type { Option } from '../command/options.ts';

/** One part of a command line: an option with its value, a plain word, or `--`. */
export type Part =
  | { readonly kind: 'word'; readonly text: string }
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
