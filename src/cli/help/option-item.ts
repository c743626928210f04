import type { Argument, Option } from '../command/options.ts';
import type { Item } from './page.ts';

const choicesOf = ({ choices }: Option): string => (choices ? ` (one of: ${choices.join(', ')})` : '');

/** An option as help lists it. */
export const optionItem = (option: Option): Item => [
  option.value ? `${option.flag} <${option.value}>` : option.flag,
  option.description + choicesOf(option),
];

const argumentForm = ({ name, isOptional, isRepeatable }: Argument): string => {
  const whole = isRepeatable ? `${name}...` : name;
  return isOptional ? `[${whole}]` : `<${whole}>`;
};

/** A line of the help. */
export const argumentItem = (argument: Argument): Item => [argument.name, argument.description];

/** The arguments of a command as its usage shows them. */
export const usageOf = (all: readonly Argument[]): string => [...all.map(argumentForm), '[options]'].join(' ');
