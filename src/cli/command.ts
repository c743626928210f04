import type { Cli } from './cli.ts';

/** A positional argument, in the order of the command line. */
export type Argument = { readonly name: string; readonly says: string; readonly isOptional?: boolean };

/** One option. Help, parsing and completion all derive from it. */
export type Option = {
  /** With its dashes, such as `--payer-wallet`. */
  readonly flag: `--${string}`;
  /** Stands for the value in help; an option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly isRepeatable?: boolean;
  /** Named only in the help of its opposite. */
  readonly isHidden?: boolean;
  readonly says: string;
};

/** What was typed: arguments and options by name, options without dashes. A switch is `true`. */
export type Given = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** A command that does something: parse (the declarations), then act (`run`). */
export type Leaf = {
  /** The words that call it, such as `pay register`; one word is a command of its own. */
  readonly words: readonly [string] | readonly [string, string];
  readonly summary: string;
  /** More than the summary, where it is needed. */
  readonly about?: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whole command lines, without the program's name. */
  readonly examples: readonly string[];
  readonly run: (cli: Cli, given: Given) => Promise<void>;
};

/** The value of an option or argument that takes one text. */
export const textOf = (given: Given, name: string): string | undefined => {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
};

/** All values of an option that may repeat. */
export const textsOf = (given: Given, name: string): readonly string[] => {
  const value = given[name];
  return Array.isArray(value) ? value : [];
};

export const isOn = (given: Given, name: string): boolean => given[name] === true;
