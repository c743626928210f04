import { EVM_NAMES } from '../../contract/chains.ts';
import { dutch, english, german } from './words/germanic.ts';
import { chinese, japanese, korean, polish, russian, turkish } from './words/other-languages.ts';
import { french, italian, portuguese, spanish } from './words/romance.ts';
import type { Words } from './words/words.ts';

/** The subject of a word in a proof. */
export type Sense = keyof Words;

const LANGUAGES: readonly Words[] = [
  { ...english, plain: `${english.plain} ${EVM_NAMES.join(' ')}` },
  portuguese,
  spanish,
  german,
  french,
  italian,
  dutch,
  polish,
  russian,
  turkish,
  chinese,
  japanese,
  korean,
];

/** If a word has two senses, the first of these counts. */
const SENSES: readonly Sense[] = ['not', 'kyc', 'own', 'plain', 'login', 'grant', 'act'];

/** A word for comparison: without accents, in lower case. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe');

type Lexicon = { readonly whole: Map<string, Sense>; readonly starts: Map<string, Sense> };

const buildLexicon = (languages: readonly Words[]): Lexicon => {
  const built: Lexicon = { whole: new Map(), starts: new Map() };
  for (const sense of SENSES) {
    for (const word of languages.flatMap((language) => fold(language[sense]).split(/\s+/)).filter(Boolean)) {
      const isStart = word.endsWith('*');
      const [into, text] = isStart ? [built.starts, word.slice(0, -1)] : [built.whole, word];
      if (!into.has(text)) into.set(text, sense);
    }
  }
  return built;
};

let all: Lexicon | undefined;

const lexicon = (): Lexicon => {
  all ??= buildLexicon(LANGUAGES);
  return all;
};

/** The longest known start counts: "verification" matches `verification*` before `verifi*`. */
const senseByStart = (word: string): Sense | undefined => {
  for (let length = word.length; length > 0; length -= 1) {
    const sense = lexicon().starts.get(word.slice(0, length));
    if (sense !== undefined) return sense;
  }
  return undefined;
};

const SHORTEST_PART = 4;
const LINKS = ['', 's', 'es', 'n', 'en', 'e'];

/** The senses of the parts of a German or Dutch compound; `undefined` if a part is not known. */
const sensesOfCompound = (word: string): readonly Sense[] | undefined => {
  for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at -= 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    const tailSense = lexicon().whole.get(tail) ?? senseByStart(tail);
    if (tailSense === undefined) continue;
    const link = LINKS.find((each) => head.endsWith(each) && isPart(head.slice(0, head.length - each.length)));
    if (link === undefined) continue;
    const stem = head.slice(0, head.length - link.length);
    return [lexicon().whole.get(stem) ?? lexicon().starts.get(stem) ?? 'plain', tailSense];
  }
  return undefined;
};

const isPart = (stem: string): boolean =>
  stem.length >= SHORTEST_PART && (lexicon().whole.has(stem) || lexicon().starts.has(stem));

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
const LONGEST_WORD = 12;

/** Splits a sentence without spaces into known words, the longest first; `undefined` if that fails. */
const sensesOfRun = (run: string): readonly Sense[] | undefined => {
  // By position: the senses from there to the end, if all words are known.
  const from: (readonly Sense[] | undefined)[] = new Array(run.length + 1).fill(undefined);
  from[run.length] = [];
  for (let at = run.length - 1; at >= 0; at -= 1) {
    for (let length = Math.min(LONGEST_WORD, run.length - at); length > 0 && !from[at]; length -= 1) {
      const sense = lexicon().whole.get(run.slice(at, at + length));
      const rest = from[at + length];
      if (sense !== undefined && rest !== undefined) from[at] = [sense, ...rest];
    }
  }
  return from[0];
};

/** The sense of a word, or several senses of a compound; `undefined` for an unknown word. */
export const sensesOf = (word: string): readonly Sense[] | undefined => {
  const folded = fold(word);
  const whole = lexicon().whole.get(folded);
  if (whole !== undefined) return [whole];
  if (EAST_ASIAN.test(folded)) return sensesOfRun(folded);
  const start = senseByStart(folded);
  return start === undefined ? sensesOfCompound(folded) : [start];
};
