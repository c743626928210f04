import { escapeText } from '../../core/escape.ts';
import { shellQuote } from '../../core/shell.ts';
import { fieldOfFlag, isSecretFlag } from '../flag-field.ts';

/** An answer: the option or argument that would have given it, by its name on the command line and in what was given. */
export type Asked = {
  /** With its dashes; of an argument its name in capitals. */
  readonly flag: string;
  readonly name: string;
  readonly value: string | readonly string[] | boolean;
};

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word));

/** A secret is no part of what is shown: a variable stands for it. */
const shownValue = (flag: string, value: string): string =>
  isSecretFlag(flag) ? `"$${fieldOfFlag(flag).toUpperCase()}"` : quoted(value);

/** Words as they were typed, but for what follows an option of a secret. */
const shownWords = (args: readonly string[]): readonly string[] =>
  args.map((word, at) => {
    const [flag = '', ...rest] = word.split('=');
    if (flag.startsWith('--') && rest.length > 0) return `${flag}=${shownValue(flag, rest.join('='))}`;
    const before = args[at - 1] ?? '';
    return before.startsWith('--') && !word.startsWith('--') ? shownValue(before, word) : quoted(word);
  });

const shownAnswer = ({ flag, value }: Asked): readonly string[] => {
  if (value === false) return [];
  if (value === true) return [flag];
  const values = typeof value === 'string' ? [value] : value;
  return values.flatMap((one) => (flag.startsWith('--') ? [flag, shownValue(flag, one)] : [quoted(one)]));
};

/** The words of a command line that give the answers: arguments first, then options. */
export const answerWords = (asked: readonly Asked[]): readonly string[] =>
  asked
    .toSorted((one, other) => Number(one.flag.startsWith('--')) - Number(other.flag.startsWith('--')))
    .flatMap(({ flag, value }) => {
      if (value === false) return [];
      if (value === true) return [flag];
      const values = typeof value === 'string' ? [value] : value;
      return values.flatMap((one) => (flag.startsWith('--') ? [flag, one] : [one]));
    });

/** The command line that would have done the same without a question, as a shell takes it. */
export const commandLine = (args: readonly string[], asked: readonly Asked[]): string => {
  // Arguments stand behind the words of the command and before its options.
  const [options, named] = [true, false].map((isOption) =>
    asked.filter(({ flag }) => flag.startsWith('--') === isOption).flatMap(shownAnswer),
  );
  return escapeText(['bursar', ...shownWords(args), ...(named ?? []), ...(options ?? [])].join(' '));
};
