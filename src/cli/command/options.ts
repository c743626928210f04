import type { Client } from '../../client/call.ts';
import { Failure, type FieldError } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { AnswerRules, Choice } from '../../io/prompt/prompt.ts';
import type { TableStyle } from '../../output/table.ts';
import type { OfferedNames } from '../completion/offers.ts';
import type { KeptNames } from '../completion/values.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { Selection } from '../profiles/selection.ts';

/** The kinds of values that this machine can suggest: files, or names that bursar stores. */
export type StoredNames = 'files' | KeptNames | OfferedNames;

/** The typed arguments and options by name, without dashes. A switch is `true`. */
export type ParsedArgs = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** Returns the end of a sentence about an invalid value, such as "must be a number". */
export type Check = (text: string) => string | undefined;

/** The part of a command context that a question needs. It cannot print a result or confirm anything. */
export type PromptContext = {
  readonly io: Io;
  readonly talkStyle: TableStyle;
  readonly selection: () => Promise<Selection>;
  readonly profile: () => Promise<ProfileSettings>;
  /** Only for calls that read, such as the list of orders. */
  readonly client: () => Promise<Client>;
};

type OfOthers = 'refused' | 'confirmed' | 'taken';
/** Suggested values, and what a question does with others. */
export type Suggestions = { readonly others: OfOthers; readonly choices: readonly Choice<string>[] };

/** Finds suggestions. `given` are the other options. */
export type Suggest = (cli: PromptContext, given: ParsedArgs) => Promise<Suggestions>;

/** Validates an answer beyond its declaration: by the review, the keystore or the files. */
export type AnswerValidator = (
  text: string,
  given: ParsedArgs,
  cli: PromptContext,
) => Promise<string | undefined> | string | undefined;

/** A question, with the option or argument that it asks for. */
export type Question = AnswerRules & {
  readonly flag: string;
  readonly description: string;
  /** An example value. A list of choices needs none. */
  readonly example?: string | undefined;
  /** The values of an earlier answer to the same question. */
  readonly kept?: readonly string[];
  readonly isHidden?: boolean;
};

/** One answer that is the value of several options. */
export type AnswerTogether = { readonly together: Readonly<Record<`--${string}`, string>> };

/** Asks in a special way, if one line is not enough. */
export type Ask = (
  cli: PromptContext,
  question: Question,
  given: ParsedArgs,
) => Promise<string | readonly string[] | boolean | AnswerTogether>;

/** Loads code that only a terminal needs. */
type Lazy<T> = () => Promise<T>;

/** The headings of the options of long commands, in order. */
export const HEADINGS = [
  'What is paid, and to whom',
  'The tenant, and what kind of payment',
  'Who pays',
  'By card',
  'Signing and sending',
  'Where values come from',
] as const;

/** Declares an option or argument. Parsing, help, completion and questions derive from it. */
export type Declaration = {
  /** A noun phrase, without notes such as "required". */
  readonly description: string;
  readonly choices?: readonly string[];
  readonly isRepeatable?: boolean;
  /** The default value, as help shows it. */
  readonly usual?: string | undefined;
  /** The value `-` reads standard input. */
  readonly readsStdin?: true;
  /** What shell completion offers: stored names, fixed words, or files. */
  readonly completes?: StoredNames | readonly string[] | Lazy<readonly string[]>;
  readonly check?: Check;
  /** The contract does not know the value, so a typed one is checked before the command runs. */
  readonly isOwnValue?: true;
  /** Hides the value while the user types it and in the review of answers. */
  readonly isHidden?: boolean;
  /** Replaces the value with a shell variable in printed commands: always, or for some values. */
  readonly isSecret?: boolean | ((value: string) => boolean);
  /** The question in the user's words. The default is `description`. */
  readonly question?: string;
  /** The position among the questions: lower is earlier, 0 is the default. */
  readonly order?: number;
  /** An example value. `given` are the other options. */
  readonly example?: string | ((given: ParsedArgs) => string | undefined) | undefined;
  /** The default in the sandbox: the user presses Enter. It sends nothing to real people. */
  readonly sandboxValue?: Declaration['example'];
  /** Reads the default from the service, such as the amount of the named order. */
  readonly readDefault?: Lazy<(cli: PromptContext, given: ParsedArgs) => Promise<string | undefined>>;
  /** The options that made this one necessary. If one of them changes, the question is asked again. */
  readonly follows?: readonly `--${string}`[];
  readonly suggest?: Lazy<Suggest>;
  /** In the sandbox: the failure of a question without any suggestion, and a command that helps. */
  readonly whenNone?: { readonly message: string; readonly next: NextStep };
  readonly validate?: Lazy<AnswerValidator>;
  readonly ask?: Lazy<Ask>;
};

/** A positional argument. The last one may be repeatable. */
export type Argument = Declaration & {
  readonly name: string;
  readonly isOptional?: boolean;
  /** Explains why a value below zero, such as -5m, is wrong. Without it such a word is an unknown option. */
  readonly belowZero?: string;
  /** From here on all words belong to another command line, also those that look like options. */
  readonly isVerbatim?: true;
};

/** One option. */
export type Option = Declaration & {
  /** With its dashes, such as `--payer-wallet`. */
  readonly flag: `--${string}`;
  /** The usual letter of other programs, such as `-h`. */
  readonly short?: `-${string}`;
  /** The placeholder for the value in help. A switch has none. */
  readonly value?: string;
  readonly isRequired?: boolean;
  /** A second value replaces the first, for example from an alias and the user. */
  readonly lastWins?: boolean;
  /** The heading in the help of long commands. */
  readonly heading?: (typeof HEADINGS)[number];
  /** It also applies to the resume of the operation. The printed resume command repeats it. */
  readonly isKept?: true;
  /** The environment variables that can replace it: those of the signing key, or of its password. */
  readonly environment?: 'key' | 'password';
  /** It selects the service. */
  readonly isOfService?: true;
};

/** The value of an option or argument with one value. */
export const stringArg = (given: ParsedArgs, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
};

/** All values of a repeatable option. */
export const stringArgs = (given: ParsedArgs, name: string): readonly string[] => {
  const value = given[name];
  return Array.isArray(value) ? value : [];
};

/** Whether a switch was given. */
export const boolArg = (given: ParsedArgs, name: string): boolean => given[name] === true;

/** Why a value is missing, and the command that provides it. */
export type MissingReason = { readonly message: string; readonly first?: NextStep };

/** A required value, and the options or arguments that provide it. Any one of them is enough. */
type RequiredValue = {
  readonly anyOf: readonly string[];
  readonly value: string | undefined;
  readonly why?: string | MissingReason | undefined;
};

/** `A`, `A or B`, `A, B or C`. */
export const eitherOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1) ?? ''].filter(Boolean).join(' or ');

/** Throws `invalid_input` that lists all missing values. */
export const assertGiven = (needed: readonly RequiredValue[]): void => {
  const missing = needed.filter(({ value }) => value === undefined || value === '');
  if (missing.length === 0) return;
  const errors = missing.map(({ anyOf, why }): FieldError => {
    const option = eitherOf(anyOf);
    const lacking = typeof why === 'string' ? { message: why } : why;
    const explained = lacking ? { ...lacking, isExplained: true as const } : { message: 'required' };
    return { field: option, ...explained, option, anyOf, isMissing: true };
  });
  const message = `missing: ${errors.map(({ option }) => option).join(', ')}`;
  throw new Failure('invalid_input', message, { errors, isOnlyMissing: true });
};

/** Returns the values. Throws `invalid_input` that lists all missing ones. `why` replaces the text "required". */
export const required = <K extends string>(
  wanted: Readonly<Record<K, string | undefined>>,
  why: Readonly<Record<string, string | MissingReason | undefined>> = {},
): Record<K, string> => {
  const entries = Object.entries<string | undefined>(wanted);
  assertGiven(entries.map(([name, value]) => ({ anyOf: [name], value, why: why[name] })));
  return wanted as Record<K, string>;
};

const optionUnder =
  (heading: NonNullable<Option['heading']>) =>
  (flag: Option['flag'], description: string, more: Partial<Option> = {}): Option => ({
    heading,
    flag,
    description,
    ...more,
  });

/** Declares an option of signing and sending. */
export const signingOption = optionUnder('Signing and sending');

/** Declares an option that names the source of a value, such as a file or standard input. */
export const sourceOption = optionUnder('Where values come from');

/** The options of a command that can repeat its read. `interval` are the usual seconds between two reads. */
export const watchOptions = (description: string, interval: string): readonly Option[] => [
  { flag: '--watch', description },
  { flag: '--every', value: 'SECONDS', usual: interval, description: 'With --watch: seconds between two reads' },
];

/** Whether the command repeats its read. Throws `usage` for --every alone. */
export const isWatched = ({ watch, every }: ParsedArgs): boolean => {
  if (watch !== true && every !== undefined) throw new Failure('usage', '--every needs --watch');
  return watch === true;
};

/** The field of an option: `--payer-email` sets `payer_email`. */
export const fieldOfFlag = (flag: string): string => flag.replace(/^--/, '').replaceAll('-', '_');

/** An option or argument. `flag` is its name in messages; `name` is its name in `ParsedArgs`. */
export type DeclaredInput = Declaration & { readonly flag: string; readonly name: string; readonly value?: string };

type Declarations = { readonly options?: readonly Option[]; readonly arguments?: readonly Argument[] };

/** The options and arguments with these flags. The flag of an argument is its name in capitals. */
export const declaredBy = (
  { options = [], arguments: all = [] }: Declarations,
  flags: readonly string[],
): readonly DeclaredInput[] => {
  const declared: readonly DeclaredInput[] = [
    ...options.map((option) => ({ ...option, name: option.flag.slice(2) })),
    ...all.map(({ name: flag, ...one }) => ({ ...one, flag, name: flag.toLowerCase(), value: flag })),
  ];
  return flags.flatMap((flag) => declared.find((one) => one.flag === flag) ?? []);
};

/** An example value, or the sandbox default. */
export const exampleOf = ({ sandboxValue, example = sandboxValue }: Declaration, given: ParsedArgs = {}) =>
  typeof example === 'function' ? example(given) : example;
