import { EVM_NAMES } from '../../contract/chains.ts';
import { dutch, english, german } from './words/germanic.ts';
import { chinese, japanese, korean, polish, russian, turkish } from './words/other-languages.ts';
import { french, italian, portuguese, spanish } from './words/romance.ts';
import type { Words } from './words/words.ts';

/** What a word of a proof is about. */
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

/** Where a word has two senses, the first of these counts. */
const SENSES: readonly Sense[] = ['not', 'kyc', 'own', 'plain', 'login', 'grant', 'act'];

/** A word as it is compared: without accents, in lower case. */
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

const read = (languages: readonly Words[]): Lexicon => {
  const known: Lexicon = { whole: new Map(), starts: new Map() };
  for (const sense of SENSES) {
    for (const word of languages.flatMap((language) => fold(language[sense]).split(/\s+/)).filter(Boolean)) {
      const isStart = word.endsWith('*');
      const [into, text] = isStart ? [known.starts, word.slice(0, -1)] : [known.whole, word];
      if (!into.has(text)) into.set(text, sense);
    }
  }
  return known;
};

let all: Lexicon | undefined;

const known = (): Lexicon => {
  all ??= read(LANGUAGES);
  return all;
};

/** The longest start of a word that is known counts: "verification" is of `verification*`, and not of `verifi*`. */
const senseByStart = (word: string): Sense | undefined => {
  for (let length = word.length; length > 0; length -= 1) {
    const sense = known().starts.get(word.slice(0, length));
    if (sense !== undefined) return sense;
  }
  return undefined;
};

const SHORTEST_PART = 4;
const LINKS = ['', 's', 'es', 'n', 'en', 'e'];

/** The senses of the parts of a compound, as German and Dutch make them; `undefined` where a part is not known. */
const sensesOfCompound = (word: string): readonly Sense[] | undefined => {
  for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at -= 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    const tailSense = known().whole.get(tail) ?? senseByStart(tail);
    if (tailSense === undefined) continue;
    const link = LINKS.find((each) => head.endsWith(each) && isPart(head.slice(0, head.length - each.length)));
    if (link === undefined) continue;
    const stem = head.slice(0, head.length - link.length);
    return [known().whole.get(stem) ?? known().starts.get(stem) ?? 'plain', tailSense];
  }
  return undefined;
};

const isPart = (stem: string): boolean =>
  stem.length >= SHORTEST_PART && (known().whole.has(stem) || known().starts.has(stem));

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;
const LONGEST_WORD = 12;

/** Parts a sentence without spaces into known words, the longest first; `undefined` where a part of it is none. */
const sensesOfRun = (run: string): readonly Sense[] | undefined => {
  // By position from the end: the senses from there on, where all of it is known.
  const from: (readonly Sense[] | undefined)[] = new Array(run.length + 1).fill(undefined);
  from[run.length] = [];
  for (let at = run.length - 1; at >= 0; at -= 1) {
    for (let length = Math.min(LONGEST_WORD, run.length - at); length > 0 && !from[at]; length -= 1) {
      const sense = known().whole.get(run.slice(at, at + length));
      const rest = from[at + length];
      if (sense !== undefined && rest !== undefined) from[at] = [sense, ...rest];
    }
  }
  return from[0];
};

/** What a word is about, one sense or, for what is written together, several; `undefined` for one that is not known. */
export const sensesOf = (word: string): readonly Sense[] | undefined => {
  const folded = fold(word);
  const whole = known().whole.get(folded);
  if (whole !== undefined) return [whole];
  if (EAST_ASIAN.test(folded)) return sensesOfRun(folded);
  const start = senseByStart(folded);
  return start === undefined ? sensesOfCompound(folded) : [start];
};
