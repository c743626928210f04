import { escapeText } from '../../core/escape.ts';
import { commandLine } from '../../core/next.ts';
import { isSecretFlag, withoutHidden } from '../argv/flag-field.ts';

/** An answer: the option or argument that would have given it, by its name on the command line and in what was given. */
export type Asked = {
  /** With its dashes; of an argument its name in capitals. */
  readonly flag: string;
  readonly name: string;
  readonly value: string | readonly string[] | boolean;
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

/** The command line that would have done the same without a question, as a shell takes it; a secret is a variable in it. */
export const lineWithoutQuestions = (args: readonly string[]): string =>
  escapeText(commandLine({ argv: ['bursar', ...withoutHidden(args, isSecretFlag)] }));
