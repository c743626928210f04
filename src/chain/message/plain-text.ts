import { isJsonObject, parseJson } from '../../core/json.ts';
import { namesOfHosts, type OwnHosts } from './host.ts';
import { dangersIn, fold, isReassurance, type Sense, sensesOf } from './vocabulary.ts';

type Reader = { readonly address: string; readonly own: OwnHosts };

const flattened = (value: unknown, label: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => flattened(each, label));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, each]) => flattened(each, `${label} ${key}`.trim()));
  // In a label of several words the last one counts.
  return String(value)
    .split('\n')
    .map((line) => `${label}: ${line}`);
};

/** The lines of a text; for JSON, a line for each name and value. */
export const linesIn = (message: string): readonly string[] => {
  if (/^\s*[[{]/.test(message)) {
    try {
      return flattened(parseJson(message), '');
    } catch {
      // Text that only starts like JSON is read as plain lines.
    }
  }
  return message.split(/\r?\n/);
};

/** Labels of nonces, ids and codes, whose value may look like anything. */
const ID_LABEL =
  /(?:^|[\s"_-])(?:nonce|challenge|random|salt|request[\s_-]?id|id|ids|uuid|reference|referenz|referencia|ref|numero|number|nummer|nr|code|codigo|session[\s_-]?id|desafio|reto|defi|sfida|einmalwert|zufallszahl|identificador|identifikator|kennung|vorgangsnummer|identifiant|идентификатор|номер|код|нонс|随机数|隨機數|编号|編號|ノンス|ナンス|乱数|番号|논스|난수|번호|challenge[\s_-]?code)(?:\s\p{L}{2,12})?\s*["']?\s*[:=#]\s*["']?([\w+/=:.-]{1,200})["']?\s*,?\s*$/iu;

/** Numbers, dates, times and ids, which are not recognised as words. */
const NUMBERS: readonly RegExp[] = [
  /\b\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:\s?Z|[+-]\d{2}:?\d{2})?)?\b/gi,
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /\b(?:\d{1,4}[./-]){2}\d{1,4}\b/g,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/gi,
  /\b[A-Z]{2,6}-\d[\d-]*\b/g,
  /\b\d+(?:[.,:]\d+)*(?:st|nd|rd|th|h|m|s|min|ms|[ºª])?\b/gi,
];

/** A one-word label, and a value that is a number, date or code. */
const CODE_LINE =
  /^\s*[-•*]?\s*["']?(\p{L}{3,20})["']?\s*[:=#]\s*["']?(?=[\w-]*\d)[A-Z\d]*[\d-]+[\w-]{0,40}["']?,?\s*$/u;

const withoutIds = (line: string, address: string): string => {
  const escaped = address.replaceAll(/[^\w]/g, '\\$&');
  const own = new RegExp(`(?:did:pkh:)?(?:(?:eip155|solana):[\\w-]+:)?${escaped}(?![0-9a-z])`, 'gi');
  const [, label] = CODE_LINE.exec(line) ?? [];
  if (label !== undefined) return dangersIn(label).length === 0 ? '' : line;
  const shown = fold(line).match(ID_LABEL)?.[1];
  const isId = shown !== undefined && dangersIn(shown.replaceAll(/[\W_]/g, ' ')).length === 0;
  const rest = isId && line.includes(':') ? line.slice(0, line.search(/[:=#]/) + 1) : line;
  return [own, ...NUMBERS].reduce((text, pattern) => text.replace(pattern, ' '), rest);
};

const SENTENCE_END =
  /[.!?;。！？；…]+|(?<=[\s,])(?:but|however|aber|sondern|pero|sino|mas|porem|mais|ma|però|maar|ale|но)(?=\s)/iu;
const CLAUSE_END = /[,:，、：]|(?<=\s)(?:and|y|e|und|et|ed|en|oraz|i|и|ve)(?=\s)/iu;
const SUBJECT = /^\s*(?:you|i|we|it|this|that|voce|eu|esta|este|usted|yo|ich|sie|es|diese|dies|je|vous|nous|cela)\b/i;

type Word = { readonly text: string; readonly senses: readonly Sense[] | undefined };

const SYMBOLS = /[^\p{L}\p{M}\p{N}]+/u;
const ONE_LETTER = /^\p{Script=Latin}$/u;

const wordsOf = (text: string): readonly Word[] =>
  text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(SYMBOLS)
    .filter(Boolean)
    .map((word) => ({ text: word, senses: ONE_LETTER.test(fold(word)) ? ['plain'] : sensesOf(word) }));

const has = (words: readonly Word[], ...wanted: readonly Sense[]): boolean =>
  words.some(({ senses }) => senses?.some((sense) => wanted.includes(sense)));

const plainTexts = (words: readonly Word[], ...wanted: readonly Sense[]): readonly string[] =>
  words.filter((word) => has([word], ...wanted)).map(({ text }) => text);

/** The words for acts in a sentence, without those that the sentence or their clause denies. */
const actsIn = (sentence: string, isOwnName: (word: string) => boolean): readonly string[] => {
  const isDenied = has(wordsOf(sentence), 'not');
  return fold(sentence)
    .replace(HAS_ACCESS, ' ')
    .split(CLAUSE_END)
    .flatMap((clause, at) => {
      const words = wordsOf(clause).filter(({ text }) => !isOwnName(text));
      if (has(words, 'not')) return [];
      // A proof may authorise a verification.
      const isForProof = has(words, 'kyc') && !has(words, 'act');
      const granted = isForProof ? [] : plainTexts(words, 'grant');
      const isNew = !isDenied || (at > 0 && SUBJECT.test(fold(clause)));
      return [...granted, ...(isNew ? plainTexts(words, 'act') : [])];
    });
};

/** Single letters in a row may spell any word. */
const SPELLED = /(?:(?<![\p{L}\p{N}])\p{L}[\s._-]+){3}\p{L}(?![\p{L}\p{N}])/u;

/** Whether a word is part of the service's name, such as `Acme` and `Pay` of acme-pay.example. */
const ownNames = (text: string, own: OwnHosts) => {
  const joined = fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
  const names = namesOfHosts(own).filter((name) => name.length > 2 && joined.includes(name.replaceAll('-', '')));
  return (word: string): boolean => {
    const folded = fold(word);
    return names.some((name) => name === folded || (folded.length > 2 && name.includes(folded)));
  };
};

/** A lower-case word after one of these may be the name of a site. */
const BEFORE_PLACES = new Set('at on into onto via em na nos nas en bei auf chez sur su op bij у на'.split(' '));
/** After these it may also be a verb: by its ending, or if another word follows. */
const BEFORE_PLACES_OR_VERBS = new Set(
  'for to with by para por pour con com mit fur avec per voor met dla для'.split(' '),
);
const INFINITIVE = /(?:ar|er|ir|re|en|c|ть)$/;
const ACCOUNTS = /^(?:account|conta|cuenta|konto|compte|conto|rekening|app|platform|plataform|plattform|site|exchange)/;
const ARTICLES = /^(?:der|die|das|des|dem|den|ein\w*|kein\w*|mein\w*|ihr\w*|dies\w*|zum|zur|im|vom|beim)$/;

/**
 * Whether an unknown word may be ignored in a text that is otherwise a proof: no vocabulary is complete. The word stands inside
 * a sentence in lower case, or after an article like a German noun. It must not be the name of a site.
 */
const isTolerated = (sentence: readonly Word[], at: number): boolean => {
  const [before, word, after] = [sentence[at - 1], sentence[at], sentence[at + 1]].map(
    (each) => each && fold(each.text),
  );
  if (before === undefined || word === undefined) return false;
  const isNoun = /^\p{Lu}\p{Ll}{3,}$/u.test(sentence[at]?.text ?? '') && ARTICLES.test(before);
  const isSmall = /^\p{Ll}{2,}$/u.test(sentence[at]?.text ?? '') && !BEFORE_PLACES.has(before);
  const isVerb =
    !BEFORE_PLACES_OR_VERBS.has(before) || INFINITIVE.test(word) || (before === 'to' && after !== undefined);
  return (isNoun || (isSmall && isVerb)) && !ACCOUNTS.test(before) && !(after !== undefined && ACCOUNTS.test(after));
};

/** "Have access to a wallet" means to own it. */
const HAS_ACCESS =
  /\b(?:have|has|tem|tenho|tiene|tengo|avez|ai|ha|ho) (?:access|acesso|acceso|acces|accesso)\b|\b(?:zugriff|zugang) (?:\w+ ){1,3}(?:habe|haben|hat)\b/g;

/** The tolerated share of unknown words, and their maximum. */
const WORDS_PER_UNKNOWN = 6;
const MAX_TOLERATED = 6;

/** Reads the words of a text without its hosts and URLs. */
export const readWords = (lines: readonly string[], { address, own }: Reader) => {
  const sentences = lines
    .map((line) => withoutIds(line, address))
    .flatMap((line) => line.split(SENTENCE_END))
    .filter((sentence) => !isReassurance(sentence));
  const text = sentences.join('\n');
  const isOwnName = ownNames(text, own);
  const parts = sentences.map(wordsOf);
  const words = parts.flat();
  const isUnknown = ({ senses, text: word }: Word) => senses === undefined && !isOwnName(word);
  const unknown = words.filter(isUnknown);
  const tolerated = parts.flatMap((part) => part.filter((word, at) => isUnknown(word) && isTolerated(part, at)));
  const isNumbered = lines.some((line) => ID_LABEL.test(fold(line)) || CODE_LINE.test(line));
  const namesWallet = lines.some((line) => line.toLowerCase().includes(address.toLowerCase()));
  const statesPurpose = has(words, 'kyc', 'own') || fold(text).search(HAS_ACCESS) >= 0;
  const isProof = statesPurpose || namesWallet;
  const isFew = unknown.length <= Math.min(MAX_TOLERATED, Math.floor(words.length / WORDS_PER_UNKNOWN));
  const isBound = statesPurpose ? isNumbered || namesWallet : isNumbered && namesWallet;
  const isClose = isBound && isFew && tolerated.length === unknown.length;
  const isKnown = !SPELLED.test(text) && (unknown.length === 0 || isClose);
  return {
    /** Words for keys, and other dangerous words. */
    dangers: dangersIn(text),
    /** Words that are not those of a proof, unless bursar recognises the text as one (`isKnown`). */
    unknown: isKnown ? [] : unknown.map((word) => word.text),
    isKnown,
    /** Words for acts that a proof does not do, in sentences that do not deny them. */
    acts: sentences.flatMap((sentence) => actsIn(sentence, isOwnName)),
    isLogin: has(words, 'login'),
    /** Whether the text states that it proves a wallet or serves a verification. */
    isProof,
  };
};
