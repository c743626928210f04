import { describe, expect, it } from 'vitest';
import { DECISIONS, DOCUMENTS, readDocument, withoutBlocks } from '../support/documents.ts';

/** Words that hide who acts, that a program cannot do, or that have a standard term: `movement` is an operation. */
const RETIRED = /\b(?:movements?|wish(?:es)?|told|whoever|mends?|taken? up|takes up|gives? way|looks? back|mind)\b/i;

/** The limit of a sentence. The guides aim at 12 words. */
const MAX_WORDS = 30;

const paragraphsIn = (text: string): readonly string[] =>
  withoutBlocks(text)
    .split(/\n\n|\n(?=\s*(?:- |\d+\. |\|))/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\]\([^)]*\)/g, ']'));

const sentencesIn = (text: string): readonly string[] =>
  paragraphsIn(text).flatMap((paragraph) => paragraph.split(paragraph.startsWith('|') ? '|' : /(?<=[.!?:;]) /));

describe.each([...DOCUMENTS, ...DECISIONS, 'src/README.md'])('the sentences of %s', (path) => {
  const sentences = sentencesIn(readDocument(path));

  it('have at most 30 words', () => {
    expect(sentences.filter((sentence) => sentence.split(' ').length > MAX_WORDS)).toEqual([]);
  });

  it('contain no retired word', () => {
    expect(sentences.filter((sentence) => RETIRED.test(sentence.replaceAll(/`[^`]*`/g, '')))).toEqual([]);
  });
});
