import { describe, expect, it } from 'vitest';
import { DECISIONS, DOCUMENTS, readDocument, withoutBlocks } from '../support/documents.ts';

/** Words that hide who does what, or that a program cannot do. An entry of the journal is an operation. */
const AVOIDED = /\b(?:movements?|wish(?:es)?|told|whoever|mends?|taken? up|takes up|gives? way|looks? back|mind)\b/i;

/** A reader follows a sentence of this length; the guides aim at 12. */
const MAX_WORDS = 30;

const paragraphsIn = (text: string): readonly string[] =>
  withoutBlocks(text)
    .split(/\n\n|\n(?=\s*(?:- |\d+\. |\|))/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\]\([^)]*\)/g, ']'));

const sentencesIn = (text: string): readonly string[] =>
  paragraphsIn(text).flatMap((each) => each.split(each.startsWith('|') ? '|' : /(?<=[.!?:;]) /));

describe.each([...DOCUMENTS, ...DECISIONS, 'src/README.md'])('the sentences of %s', (path) => {
  const sentences = sentencesIn(readDocument(path));

  it('are short', () => {
    expect(sentences.filter((sentence) => sentence.split(' ').length > MAX_WORDS)).toEqual([]);
  });

  it('use the words of the field', () => {
    expect(sentences.filter((sentence) => AVOIDED.test(sentence.replaceAll(/`[^`]*`/g, '')))).toEqual([]);
  });
});
