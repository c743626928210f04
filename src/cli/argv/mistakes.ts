import { closest } from '../../core/closest.ts';
import { Failure, type FailureDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Command, CommandGroup } from '../command/command.ts';
import { fieldOfFlag, type Option } from '../command/options.ts';

const SECRETS = ['--api-key', '--password', '--private-key', '--mnemonic'];

const NO_SECRETS =
  'Secrets are never options: other users could read them. For the API key use bursar login (at its prompt, by --api-key-stdin or --api-key-file), BURSAR_API_KEY or BURSAR_API_KEY_FILE; for a password --password-file or --password-stdin.';

/** A wrong command line: exit 2, with the help of as much of the command as there is. */
const mistake = (words: readonly string[], message: string, details: Omit<FailureDetails, 'next'> = {}): Failure =>
  new Failure('usage', message, { ...details, next: nextStep('help', ...words) });

const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const meant = closest(word, known);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
};

/** No word names a command. */
export const noCommand = (): Failure => mistake([], 'no command was given');

/** A first or second word that is no command. */
export const unknownCommand = (words: readonly string[], word: string, known: readonly string[]): Failure =>
  mistake(words, `unknown command '${word}'`, { hint: didYouMean(word, known) });

/** The first word of a command alone: its commands are named. */
export const notWhole = ({ name }: CommandGroup, commands: readonly Command[]): Failure =>
  mistake([name], `"${name}" is not a whole command`, {
    hint: `Its commands are ${commands.map(({ words }) => words[1]).join(', ')}.`,
  });

/** `--json=false`: a switch has no value, but it may have an opposite. */
export const switchWithValue = (words: readonly string[], flag: string, options: readonly Option[]): Failure => {
  const opposite = options.find((option) => option.flag === `--no-${flag.slice(2)}`);
  const hint = opposite ? `Its opposite is ${opposite.flag}.` : 'Leave it out where it should not apply.';
  return mistake(words, `${flag} takes no value`, { hint });
};

/** An option that neither the command nor the program has. What follows it may be a secret, and is not repeated. */
export const unknownOption = (words: readonly string[], flag: string, options: readonly Option[]): Failure => {
  const flags = options.map((option) => option.flag);
  const begun = flag.length > 3 ? flags.filter((each) => each.startsWith(flag)) : [];
  const meant = begun.length > 0 ? `Did you mean ${begun.join(' or ')}?` : didYouMean(flag, flags);
  const named = flag.startsWith('--') ? flag : flag.slice(0, 2);
  return mistake(words, `unknown option '${named}'`, { hint: SECRETS.includes(flag) ? NO_SECRETS : meant });
};

/** An option that needs a value, at the end of the line or before another option. */
export const missingValue = (words: readonly string[], { flag, value = '' }: Option): Failure =>
  mistake(words, `${flag} needs a value: ${flag} ${value}`, {
    hint: `A value that begins with a hyphen follows an equals sign: ${flag}=${value}.`,
  });

/** Of two values for one option the last would win in silence, also where it is money. */
export const givenTwice = (words: readonly string[], { flag }: Option): Failure =>
  mistake(words, `${flag} is given twice; it takes one value`);

/** A value that is none of an option's choices: named as every wrong field is. */
export const wrongChoice = (words: readonly string[], { flag, choices = [] }: Option, typed: string): Failure =>
  mistake(words, 'nothing was sent: an option has a value that it cannot have', {
    errors: [{ field: fieldOfFlag(flag), option: flag, message: `"${typed}" is none of ${choices.join(', ')}` }],
    hint: didYouMean(typed, choices),
  });

const isPlainWord = (word: string): boolean => /^[a-z]{1,12}$/.test(word);

/** A word too many may be a secret: it is repeated only where no password is at hand, and only when it is a plain word. */
const mayNameWords = ({ words: [area], options = [] }: Command, rest: readonly string[]): boolean =>
  !['key', 'login'].includes(area) &&
  !options.some(({ flag }) => /password|stdin|token/.test(flag)) &&
  rest.every(isPlainWord);

/** More words than the command has arguments. */
export const tooMany = (command: Command, rest: readonly string[]): Failure => {
  const expected = command.arguments?.length ?? 0;
  const takes = expected === 0 ? 'no argument' : expected === 1 ? 'one argument' : `${expected} arguments`;
  const named = mayNameWords(command, rest) ? `, and there is also "${rest.join('", "')}"` : '';
  return mistake(command.words, `too many arguments: bursar ${command.words.join(' ')} takes ${takes}${named}`);
};
