import type { Choice, Other } from './asked.ts';

/** As many as are seen at a glance. */
const HANDFUL = 7;

/** Whether what is typed narrows a list: where it is short, and has all there is, the arrows are enough. */
export const isNarrowed = <T>(choices: readonly Choice<T>[], other: Other<T> | undefined): boolean =>
  other !== undefined || choices.length > HANDFUL;

/** Whether a text is a choice itself, whatever its case. */
export const isWhole = <T>({ value, also }: Choice<T>, typed: string): boolean => {
  const text = typed.trim().toLowerCase();
  return text !== '' && [value, also].some((one) => typeof one === 'string' && one.toLowerCase() === text);
};

/** The choices that have each word of a text: what it names whole stands first, then what begins with it. */
export const narrowed = <T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] => {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/);
  const searchedText = ({ name, value, also = '' }: Choice<T>) =>
    `${name} ${typeof value === 'string' ? value : ''} ${also}`.toLowerCase();
  const rankOf = (choice: Choice<T>) => {
    if (isWhole(choice, text)) return 0;
    return choice.name.toLowerCase().startsWith(text) ? 1 : 2;
  };
  return choices
    .filter((choice) => words.every((word) => searchedText(choice).includes(word)))
    .toSorted((one, next) => rankOf(one) - rankOf(next));
};
