// Finds sentences that are too long, in the strings and comments of a source file.
import { parseSync } from '@swc/core';

const MAX_WORDS = 25;

/** A sentence ends at a full stop, at an empty line, and before an entry of a list. */
const SENTENCE_END = /(?<=[.!?])["')`*_]*(?:\s+|$)|\n\s*(?:\n|[-*] |\d+\. )|:\s*\n/;

/** Whether a text is no sentence, but part of a page, a style sheet, SQL or a list of words. */
const isData = (sentence) =>
  /[{}]|\$\w|\bend end\b|<\/?[a-z]+|NOT NULL|\bbursar\.[a-z_]+|current_setting|\w\*(?:\s|$)|(?:^|\s)[=~]\w|[\u3040-\u9fff\uac00-\ud7a3]/.test(
    sentence,
  );

const isTooLong = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > MAX_WORDS;

const isKey = (node, key) =>
  (key === 'key' && node.type !== 'AssignmentPatternProperty') ||
  (key === 'property' && node.type === 'MemberExpression' && node.property.type === 'Identifier');

const stringsIn = (node) => {
  if (node === null || typeof node !== 'object') return [];
  if (Array.isArray(node)) return node.flatMap(stringsIn);
  if (node.type === 'StringLiteral') return [node.value];
  const own = node.type === 'TemplateLiteral' ? [node.quasis.map(({ cooked, raw }) => cooked ?? raw).join('X')] : [];
  return [...own, ...Object.entries(node).flatMap(([key, value]) => (isKey(node, key) ? [] : stringsIn(value)))];
};

const commentsIn = (text) => [
  ...[...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, body]) => body.replaceAll(/^\s*\*+ ?/gm, '')),
  ...[...text.matchAll(/(?:^[ \t]*\/\/.*\n)+/gm)].map(([body]) => body.replaceAll(/^\s*\/\/ ?/gm, '')),
];

/** The sentences of more than 25 words in a file's strings and comments. An expression in a template counts as a word. */
export const longSentences = (text) =>
  [...stringsIn(parseSync(text, { syntax: 'typescript', target: 'es2022' })), ...commentsIn(text)]
    .flatMap((block) => block.split(SENTENCE_END))
    .filter((sentence) => sentence !== undefined && !isData(sentence) && isTooLong(sentence))
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, ' '));
