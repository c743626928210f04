import type { Client } from '../../client/call.ts';
import type { Io } from '../../io/io.ts';
import type { AnswerRules, Choice } from '../../io/prompt/prompt.ts';
import type { TableStyle } from '../../output/table.ts';
import type { ProfileSettings } from '../profiles/profile.ts';
import type { Selection } from '../profiles/selection.ts';

/** What this machine can say a word may be: a file, or what bursar keeps here. */
export type Local = 'files' | 'keys' | 'profiles' | 'payments' | 'movements' | 'orders' | 'assets';

/** What was typed: arguments and options by name, options without dashes. A switch is `true`. */
export type ParsedArgs = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** What is wrong with a value, as the end of a sentence about it; `undefined` when nothing is. */
export type Check = (text: string) => string | undefined;

/** As much of a command's context as a question needs: nothing in it prints an answer or confirms anything. */
export type PromptContext = {
  readonly io: Io;
  readonly talkStyle: TableStyle;
  readonly selection: () => Promise<Selection>;
  readonly profile: () => Promise<ProfileSettings>;
  /** For what only reads, such as the orders to choose from. */
  readonly client: () => Promise<Client>;
};

/** What can be chosen; `closed` when nothing else will do. */
export type Suggested = { readonly closed: boolean; readonly choices: readonly Choice<string>[] };

/** Finds what could be meant, beside what else is given. */
export type Suggest = (cli: PromptContext, given: ParsedArgs) => Promise<Suggested>;

/** What is wrong with an answer by what the service, the review or this machine would say of it later. */
export type Judge = (
  text: string,
  given: ParsedArgs,
  cli: PromptContext,
) => Promise<string | undefined> | string | undefined;

/** A question: its words, and the option or argument that would have answered it. */
export type Question = AnswerRules & {
  readonly flag: string;
  readonly description: string;
  readonly isHidden?: boolean;
};

/** Asks in a way of its own, where one line is not enough. */
export type Ask = (cli: PromptContext, question: Question, given: ParsedArgs) => Promise<string | readonly string[]>;

/** What only a terminal needs is loaded when it is asked for. */
type Lazy<T> = () => Promise<T>;

/** Headings that help lists the options of longer commands under, in this order. */
export const HEADINGS = [
  'What is paid, and to whom',
  'The tenant, and what kind of payment',
  'Who pays',
  'By card',
  'Signing and sending',
  'Where values come from',
] as const;

/** What an option and an argument declare alike: parsing, help, completion and questions derive from it. */
export type Declared = {
  /** A noun phrase, without a note on what is required or usual. */
  readonly description: string;
  readonly choices?: readonly string[];
  readonly isRepeatable?: boolean;
  /** What is taken where nothing is given, as help says it. */
  readonly usual?: string | undefined;
  /** `-` stands for standard input. */
  readonly readsStdin?: true;
  /** What a shell offers: what bursar keeps, or all words that there are; a file for a FILE. */
  readonly completes?: Local | readonly string[] | Lazy<readonly string[]>;
  readonly check?: Check;
  /** Its value is not shown: neither while it is typed nor among answers. */
  readonly isHidden?: boolean;
  /** Its value, or such a value of it, stands in no command that bursar prints: a variable of the shell takes its place. */
  readonly isSecret?: boolean | ((value: string) => boolean);
  /** The question in the user's words; without it the description is the question. */
  readonly question?: string;
  /** Its place among the questions: lower comes first, and 0 is that of all that say nothing. */
  readonly order?: number;
  /** A value that could be meant, beside what else is given. */
  readonly example?: string | ((given: ParsedArgs) => string | undefined) | undefined;
  /** What Enter alone takes in the sandbox: whoever tries a payment there need not think of it, and it reaches nobody. */
  readonly sandboxValue?: string | undefined;
  /** The options whose answers made this one necessary: it is asked for anew when one of them changes. */
  readonly follows?: readonly `--${string}`[];
  readonly suggest?: Lazy<Suggest>;
  readonly judge?: Lazy<Judge>;
  readonly ask?: Lazy<Ask>;
};

/** A positional argument, in the order of the command line. The last one may take all that is left. */
export type Argument = Declared & { readonly name: string; readonly isOptional?: boolean };

/** One option. */
export type Option = Declared & {
  /** With its dashes, such as `--payer-wallet`. */
  readonly flag: `--${string}`;
  /** A letter for it that users know from other programs. */
  readonly short?: `-${string}`;
  /** Stands for the value in help; an option without one is a switch. */
  readonly value?: string;
  /** The command cannot do without it, whatever else is given. */
  readonly isRequired?: boolean;
  /** Of two values the last counts: a script or an alias may have given one already. */
  readonly lastWins?: boolean;
  /** Where help lists it among many. */
  readonly heading?: (typeof HEADINGS)[number];
  /** What it states of an operation holds for the resume of the operation too: that command repeats it. */
  readonly isKept?: true;
  /** The variables of the environment that stand for it: of the key that signs, or of its password. */
  readonly environment?: 'key' | 'password';
  /** It says which service a command is about. */
  readonly isOfService?: true;
};

/** The field that an option is named after: `--payer-email` is `payer_email`. */
export const fieldOfFlag = (flag: string): string => flag.replace(/^--/, '').replaceAll('-', '_');

/** An option or argument of a command as messages name it (`flag`), and as what was typed is kept (`name`). */
export type Named = Declared & { readonly flag: string; readonly name: string; readonly value?: string };

type Declaring = { readonly options?: readonly Option[]; readonly arguments?: readonly Argument[] };

/** The options and arguments of a command that an error names by these flags; an argument's is its name in capitals. */
export const declaredBy = (command: Declaring, flags: readonly string[]): readonly Named[] => {
  const all: readonly Named[] = [
    ...(command.options ?? []).map((option) => ({ ...option, name: option.flag.slice(2) })),
    ...(command.arguments ?? []).map((one) => ({
      ...one,
      flag: one.name,
      name: one.name.toLowerCase(),
      value: one.name,
    })),
  ];
  return flags.flatMap((flag) => all.find((one) => one.flag === flag) ?? []);
};

/** A value that could be meant, beside what else is given. */
export const exampleOf = ({ example, sandboxValue }: Named, given: ParsedArgs = {}): string | undefined =>
  typeof example === 'function' ? example(given) : (example ?? sandboxValue);

/** The value of an option or argument that takes one text. */
export const stringArg = (given: ParsedArgs, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
};

/** All values of an option that may repeat. */
export const stringArgs = (given: ParsedArgs, name: string): readonly string[] => {
  const value = given[name];
  return Array.isArray(value) ? value : [];
};

/** Whether a switch was given. */
export const boolArg = (given: ParsedArgs, name: string): boolean => given[name] === true;
