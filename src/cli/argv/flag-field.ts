import { variable } from '../../core/next.ts';
import { isCredential } from '../../core/redact.ts';

/** The field that an option is named after: `--payer-email` is `payer_email`. */
export const fieldOfFlag = (flag: string): string => flag.replace(/^--/, '').replaceAll('-', '_');

/** Whether what an option takes is a secret, which is shown nowhere. */
export const isSecretFlag = (flag: string): boolean => isCredential(fieldOfFlag(flag));

/** The variable that stands for the value of an option. */
export const variableOf = (flag: string): string => variable(fieldOfFlag(flag).toUpperCase());

/** The words of a command line, with a variable of the shell in place of each value of an option that is not shown. */
export const withoutHidden = (
  words: readonly string[],
  isHidden: (flag: string, value: string) => boolean,
): readonly string[] =>
  words.flatMap((word, at) => {
    const [flag = '', ...rest] = word.split('=');
    if (flag.startsWith('--'))
      return rest.length > 0 && isHidden(flag, rest.join('=')) ? [flag, variableOf(flag)] : [word];
    const before = words[at - 1] ?? '';
    return before.startsWith('--') && isHidden(before, word) ? [variableOf(before)] : [word];
  });
