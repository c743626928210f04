import type { Grammar, Word } from './grammar.ts';

/**
 * What a shell shows beside a word: plain text, without anything that would start something. An apostrophe ends a text in
 * quotes: each shell has its own way to write one.
 */
export const plainText = (says: string, apostrophe: string): string =>
  says
    .replaceAll(/["`“”$\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/['‘’]/g, apostrophe);

/** The flags of the program and what each describes, for the shells that show it. */
export const flagWords = ({ descriptions }: Grammar, apostrophe: string): readonly Word[] =>
  [...descriptions].map(([word, text]) => ({ word, description: plainText(text, apostrophe) }));
