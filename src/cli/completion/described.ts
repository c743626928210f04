import type { Grammar, Word } from './grammar.ts';

/** What a shell shows beside a word: plain text, without anything that would end a quoted one or start something. */
export const plainText = (says: string): string => says.replaceAll(/['"`‘’“”$\\]/g, '').replaceAll(/\s+/g, ' ');

/** The flags of the program and what each says, for the shells that show it. */
export const flagWords = ({ says }: Grammar): readonly Word[] =>
  [...says].map(([word, text]) => ({ word, says: plainText(text) }));
