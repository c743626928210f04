import type { CommanderError } from 'commander';
import { closest } from '../../core/closest.ts';
import type { FieldError } from '../../core/failure.ts';
import type { Command } from '../command/command.ts';
import type { Option } from '../command/options.ts';
import { fieldOfFlag } from './flag-field.ts';
import { GLOBAL_OPTIONS } from './globals.ts';

/** What was wrong with a command line: what is said of it, and what was likely meant. */
export type Mistake = {
  readonly message: string;
  readonly hint: string | undefined;
  readonly errors?: readonly FieldError[];
};

const optionsOf = (command: Command | undefined): readonly Option[] => [...(command?.options ?? []), ...GLOBAL_OPTIONS];

/** The words of a command line that are neither options nor what an option takes. */
const plainWords = (args: readonly string[], options: readonly Option[]): readonly string[] =>
  args.filter((arg, at) => {
    const before = options.find(({ flag, short }) => args[at - 1] === flag || args[at - 1] === (short ?? flag));
    return !arg.startsWith('-') && before?.value === undefined;
  });

const isPlainWord = (word: string): boolean => /^[a-z]{1,12}$/.test(word);

/** A word too many may be a secret: it is not repeated where passwords are at hand, and only when it is a plain word. */
const mayNameWords = ({ words: [area], options = [] }: Command, words: readonly string[]): boolean =>
  !['key', 'login'].includes(area) &&
  !options.some(({ flag }) => /password|stdin|token/.test(flag)) &&
  words.every(isPlainWord);

const tooMany = (args: readonly string[], command: Command): Mistake => {
  const name = command.words.join(' ');
  const expected = command.arguments?.length ?? 0;
  const rest = plainWords(args, optionsOf(command)).slice(command.words.length + expected);
  const takes = expected === 0 ? 'no argument' : expected === 1 ? 'one argument' : `${expected} arguments`;
  const named = mayNameWords(command, rest) && rest.length > 0 ? `, and there is also "${rest.join('", "')}"` : '';
  return { message: `too many arguments: bursar ${name} takes ${takes}${named}`, hint: undefined };
};

/** `--json=false`: a switch has no value, but it may have an opposite. */
const switchWithValue = (flag: string, options: readonly Option[]): Mistake => {
  const opposite = options.find((option) => option.flag === `--no-${flag.slice(2)}`);
  return {
    message: `${flag} takes no value`,
    hint: opposite ? `Its opposite is ${opposite.flag}.` : 'Leave it out where it should not apply.',
  };
};

const unknownOption = (flag: string, suggestion: string | undefined, options: readonly Option[]): Mistake => {
  const begun = options.filter((option) => option.flag.startsWith(flag)).map((option) => option.flag);
  const meant = flag.length > 3 && begun.length > 0 ? begun.join(' or ') : undefined;
  return {
    message: `unknown option '${flag}'`,
    hint: meant === undefined ? suggestion : `Did you mean ${meant}?`,
  };
};

/** A value that is none of an option's choices: named as every wrong field is. */
const wrongChoice = (message: string): Mistake | undefined => {
  const [, option, typed, all] =
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(message) ?? [];
  if (option === undefined || typed === undefined || all === undefined) return undefined;
  const meant = closest(typed, all.split(', '));
  return {
    message: 'nothing was sent: an option has a value that it cannot have',
    errors: [{ field: fieldOfFlag(option), option, message: `"${typed}" is none of ${all}` }],
    hint: meant && `Did you mean ${meant}?`,
  };
};

/** commander's complaint in words of our own, where those say more. `leaf` is the command, where there is one. */
export const mistakeIn = (error: CommanderError, args: readonly string[], command: Command | undefined): Mistake => {
  const [message = '', suggested] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = suggested?.replace(/^\((.*)\)$/, '$1');
  // The value of an option that is unknown may be a secret, typed in the wrong place.
  const [, flag] = /^unknown option '(--[^='\n]+|-[^-\n])/.exec(message) ?? [];
  const options = optionsOf(command);
  if (flag !== undefined) {
    const isSwitch = options.some((option) => option.flag === flag && option.value === undefined);
    return isSwitch ? switchWithValue(flag, options) : unknownOption(flag, suggestion, options);
  }
  if (error.code === 'commander.excessArguments' && command) return tooMany(args, command);
  return wrongChoice(message) ?? { message, hint: suggestion };
};
