import type { Argument, Declared, Option } from '../command/options.ts';

/** A term and what it means. */
export type Item = readonly [term: string, says: string];

/** A part of a page, before it is laid out for a terminal, a man page or Markdown. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  /** Whole command lines, as they are typed. */
  | { readonly kind: 'commands'; readonly lines: readonly string[] };

/** A heading and what stands below it. */
export type Section = { readonly heading: string; readonly blocks: readonly Block[] };

/** Help about one thing. Everything that shows help, in whatever form, is made from pages. */
export type Page = {
  /** What it is about, as it is typed: `bursar pay run`. */
  readonly name: string;
  readonly summary: string;
  /** Without one it is no command. */
  readonly usage?: string;
  readonly about: readonly string[];
  readonly sections: readonly Section[];
};

/** A paragraph for each line. */
export const text = (...lines: readonly string[]): readonly Block[] =>
  lines.map((line) => ({ kind: 'text', text: line }));

/** Names, each with what it is. */
export const items = (all: readonly Item[]): Block => ({ kind: 'items', items: all });

/** Command lines, as they are typed. */
export const commands = (lines: readonly string[]): Block => ({ kind: 'commands', lines });

const isFilled = (block: Block): boolean =>
  block.kind === 'text' || (block.kind === 'items' ? block.items.length > 0 : block.lines.length > 0);

/** A section, or none where there is nothing in it. */
export const section = (heading: string, ...blocks: readonly Block[]): readonly Section[] => {
  const filled = blocks.filter(isFilled);
  return filled.length === 0 ? [] : [{ heading, blocks: filled }];
};

/** What stands behind the description of an option or argument: what is taken, and what it cannot do without. */
const notes = ({ readsStdin, usual, isRepeatable }: Declared, isRequired = false): string => {
  const all = [
    readsStdin && '- is stdin',
    usual !== undefined && (usual === '' ? 'default' : `default: ${usual}`),
    isRequired && 'required',
    isRepeatable && 'repeatable',
  ].filter(Boolean);
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
};

const choicesOf = ({ choices }: Option): string => (choices ? ` (one of: ${choices.join(', ')})` : '');

/** An option as help lists it. */
export const optionItem = (option: Option): Item => [
  option.value ? `${option.flag} <${option.value}>` : option.flag,
  option.description + notes(option, option.isRequired) + choicesOf(option),
];

const argumentForm = ({ name, isOptional, isRepeatable }: Argument): string => {
  const whole = isRepeatable ? `${name}...` : name;
  return isOptional ? `[${whole}]` : `<${whole}>`;
};

/** A line of the help. */
export const argumentItem = (argument: Argument): Item => [
  argument.name,
  argument.description + notes({ ...argument, isRepeatable: false }),
];

/** The arguments of a command as its usage shows them. */
export const usageOf = (all: readonly Argument[]): string => [...all.map(argumentForm), '[options]'].join(' ');
