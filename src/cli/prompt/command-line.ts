import { escapeText } from '../../core/escape.ts';
import { commandLine } from '../../core/next.ts';
import type { Part } from '../argv/command-line.ts';
import { isLeftOut, repeated, type Typed } from '../print/next-command.ts';

/** An answer: the option or argument that would have given it, by its name on the command line and in what was given. */
export type Asked = {
  /** With its dashes; of an argument its name in capitals. */
  readonly flag: string;
  readonly name: string;
  readonly value: string | readonly string[] | boolean;
  /** It is shown nowhere. */
  readonly isHidden?: boolean;
};

/** The answers as parts of a command line: arguments first, then options. */
export const answerParts = (asked: readonly Asked[]): readonly Part[] =>
  asked
    .toSorted((one, other) => Number(one.flag.startsWith('--')) - Number(other.flag.startsWith('--')))
    .flatMap(({ flag, value: answer }): readonly Part[] => {
      const values = typeof answer === 'object' ? answer : answer === false ? [] : [answer];
      return values.map((one): Part => {
        if (!flag.startsWith('--')) return { kind: 'word', text: String(one) };
        return { kind: 'option', flag, value: one === true ? undefined : String(one), isInline: false };
      });
    });

/** The command line that would have done the same without a question, as a shell takes it; a secret is a variable in it. */
export const lineWithoutQuestions = (line: Pick<Typed, 'parts' | 'options'>): string => {
  const words = repeated(line, (option, value) => option.isHidden === true || isLeftOut(option, value));
  return escapeText(commandLine({ argv: ['bursar', ...words] }));
};
