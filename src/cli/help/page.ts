import type { Argument, Declaration, Option } from '../command/options.ts';

/** A term and its description. */
export type Item = readonly [term: string, description: string];

/** A part of a page, before its layout for a terminal, a man page or Markdown. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** Complete command lines. */
  | { readonly kind: 'commands'; readonly lines: readonly string[] };

/** A heading and its content. */
export type Section = { readonly heading: string; readonly blocks: readonly Block[] };

/** A help page. Every form of help is made from it. */
export type Page = {
  /** The command as typed: `bursar pay run`. */
  readonly name: string;
  readonly summary: string;
  /** Topics have no usage line. */
  readonly usage?: string;
  /** Complete command lines. They follow the usage. */
  readonly examples?: readonly string[];
  readonly about?: readonly string[];
  readonly sections: readonly Section[];
};

/** A page whole (`--help`), or to fit a terminal (`-h`). */
export type PageLength = 'whole' | 'short';

/** Makes one paragraph of each line. */
export const text = (...lines: readonly string[]): readonly Block[] =>
  lines.map((line) => ({ kind: 'text', text: line }));

/** Makes a list of terms with descriptions. */
export const items = (all: readonly Item[]): Block => ({ kind: 'items', items: all });

/** Makes a list of command lines. */
export const commands = (lines: readonly string[]): Block => ({ kind: 'commands', lines });

const isFilled = (block: Block): boolean =>
  block.kind === 'text' || (block.kind === 'items' ? block.items.length > 0 : block.lines.length > 0);

/** Makes a section; empty content makes none. */
export const section = (heading: string, ...blocks: readonly Block[]): readonly Section[] => {
  const filled = blocks.filter(isFilled);
  return filled.length === 0 ? [] : [{ heading, blocks: filled }];
};

/** The section with the examples of a page. */
export const examplesOf = ({ examples = [] }: Page): readonly Section[] => section('Examples', commands(examples));

/** The notes after the description of an option or argument: its default, and whether it is required. */
const notes = ({ readsStdin, usual, isRepeatable }: Declaration, isRequired = false): string => {
  const all = [
    readsStdin && '- is stdin',
    usual !== undefined && (usual === '' ? 'default' : `default: ${usual}`),
    isRequired && 'required',
    isRepeatable && 'repeatable',
  ].filter(Boolean);
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
};

const choicesOf = ({ choices }: Declaration): string => (choices ? ` (one of: ${choices.join(', ')})` : '');

/** The line of an option in help. */
export const optionItem = (option: Option): Item => [
  option.value ? `${option.flag} <${option.value}>` : option.flag,
  option.description + notes(option, option.isRequired) + choicesOf(option),
];

const argumentForm = ({ name, isOptional, isRepeatable }: Argument): string => {
  const whole = isRepeatable ? `${name}...` : name;
  return isOptional ? `[${whole}]` : `<${whole}>`;
};

/** The line of an argument in help. */
export const argumentItem = (argument: Argument): Item => [
  argument.name,
  argument.description + notes({ ...argument, isRepeatable: false }) + choicesOf(argument),
];

/** The arguments in a usage line. */
export const usageOf = (all: readonly Argument[]): string => [...all.map(argumentForm), '[options]'].join(' ');
