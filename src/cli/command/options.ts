/** What this machine can say a word may be: a file, or what bursar keeps here. */
export type Local = 'files' | 'keys' | 'profiles' | 'payments' | 'movements' | 'orders' | 'assets';

/** What is wrong with a value, as the end of a sentence about it; `undefined` when nothing is. */
export type Check = (text: string) => string | undefined;

/** A positional argument, in the order of the command line. */
export type Argument = {
  readonly name: string;
  readonly description: string;
  readonly isOptional?: boolean;
  /** The last one may take all that is left. */
  readonly isRepeatable?: boolean;
  /** What a shell offers for it. */
  readonly completes?: Local | readonly string[];
  readonly check?: Check;
};

/** One option. Help, parsing and completion all derive from it. */
export type Option = {
  /** With its dashes, such as `--payer-wallet`. */
  readonly flag: `--${string}`;
  /** A letter for it that users know from other programs. */
  readonly short?: `-${string}`;
  /** Stands for the value in help; an option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly isRepeatable?: boolean;
  /** A script or an alias may have given one already. */
  readonly lastWins?: boolean;
  /** What a shell offers for it, where that is neither its choices nor, for a FILE, a file. */
  readonly completes?: Local;
  readonly description: string;
  readonly check?: Check;
  /** Its value is not shown: neither while it is typed nor among answers. */
  readonly isHidden?: boolean;
  /** Its value, or such a value of it, stands in no command that bursar prints: a variable of the shell takes its place. */
  readonly isSecret?: boolean | ((value: string) => boolean);
  /** What it states of an operation holds for the resume of the operation too: that command repeats it. */
  readonly isKept?: true;
  /** It says which service a command is about. */
  readonly isOfService?: true;
};

/** The field that an option is named after: `--payer-email` is `payer_email`. */
export const fieldOfFlag = (flag: string): string => flag.replace(/^--/, '').replaceAll('-', '_');

/** What was typed: arguments and options by name, options without dashes. A switch is `true`. */
export type ParsedArgs = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

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
