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

/**
 * Words that no proof of a wallet needs: keys, what makes or unlocks keys, and sites that derive keys from signatures. They
 * include languages that bursar does not read: the statement of a sign-in is searched for these words only.
 * `=` marks a whole word, `~` a part of a word; all others are starts of words.
 */
const DANGERS =
  `=key =keys keypair keystore ~privkey pubkey private =priv seed mnemon passphras passwor passcod secret generat deriv unlock encrypt decrypt entropy recover
trading =perp =perps leverag stark zk =l2 =layer layer2 onlysignon trusted bootstrap vault confianza confianca confiable confiavel avaim klicem klici
chave privad semente senha segred gerar gerad =gera =gere desbloque cifrad encript criptograf descript recuper restaur
clave llave semilla contrasen secret generar generad =genere =genera
~schlussel ~passwort kennwort ~geheim generier erzeug ableit abgeleit abzuleit entsperr wiederherstell handelsk vertrauenswurd =keim freischalt
=cle =clef =cles =clefs privee =prive graine generer genere deverrouill chiffre dechiffr retabl
chiav =seme segret sblocc crittograf decifr ~sleutel ~wachtwoord genereer afleid ontgrendel
klucz prywatn haslo hasla tajn wygenerow odblok szyfr ziarn ключ секрет приват парол сид сгенер генер разблок шифр зашифр восстанов
anahtar gizli =ozel sifre kilit =uret =turet tohum kunci rahasia nyckel losenord =nokkel =nokkelen =nogle avain salasana kulcs =klic klice =kluc kluce heslo =cheie =cheia kljuc lozink κλειδ
=khoa ~कुंजी ~กุญแจ ~مفتاح ~מפתח
~密钥 ~密鑰 ~私钥 ~私鑰 ~秘钥 ~秘鑰 ~金鑰 ~钥匙 ~鑰匙 ~助记 ~助記 ~种子 ~種子 ~解锁 ~解鎖 ~生成 ~派生 ~密码 ~密碼 ~秘密 ~鍵 ~キー ~シード ~復元 ~暗号 ~パスワード ~개인키 ~비밀 ~키를 ~키가 ~열쇠 ~시드 ~생성 ~파생 ~잠금 ~암호
dydx opensea uniswap loopring immutabl aztec railgun binance coinbase kraken bitcoin starkex =tron aptos polkadot cardano paradex hyperliquid rarible looksrare sushiswap pancakeswap polymarket`
    .split(/\s+/)
    .map((stem) => ({ kind: stem[0] ?? '', text: fold(stem.replace(/^[=~]/, '')) }));

const [whole, inside, starts] = [
  new Set(DANGERS.filter(({ kind }) => kind === '=').map(({ text }) => text)),
  DANGERS.filter(({ kind }) => kind === '~').map(({ text }) => text),
  DANGERS.filter(({ kind }) => kind !== '=' && kind !== '~').map(({ text }) => text),
];

/** Whole sentences that only reassure the reader: they name a key without a request for it. */
const SECRETS = '(?:private keys?|seed phrases?|recovery phrases?|passwords?)';
const REASSURANCES = [
  `(?:we|our (?:team|support)) (?:will )?never ask (?:you )?for your ${SECRETS}(?:(?:,| or|, or) (?:your )?${SECRETS})*`,
  `(?:never|do not) share your ${SECRETS}(?: (?:or|and) ${SECRETS})?(?: with anyone)?`,
  'nunca (?:pediremos|solicitaremos|pedimos|solicitamos) (?:a )?sua (?:chave privada|senha|frase de recuperacao)(?: ou (?:chave privada|senha|frase de recuperacao))?',
  'nunca (?:te |le )?(?:pediremos|solicitaremos|pedimos|solicitamos) (?:tu|su) (?:clave privada|contrasena|frase semilla)(?: (?:o|ni) (?:clave privada|contrasena|frase semilla))?',
  'wir (?:werden sie |fragen sie )?(?:nie|niemals) nach ihrem (?:privaten schlussel|passwort)(?: oder ihrem (?:privaten schlussel|passwort))?(?: fragen)?',
  'nous ne (?:vous )?demanderons jamais votre (?:cle privee|mot de passe)',
].map((pattern) => new RegExp(`^${pattern}$`));

/** Whether a sentence only states that the service never requests keys. */
export const isReassurance = (sentence: string): boolean => {
  const folded = fold(sentence).trim().replaceAll(/\s+/g, ' ');
  return REASSURANCES.some((pattern) => pattern.test(folded));
};

/** "Generates no costs" is harmless, though it contains a listed word in many languages. */
const COSTS =
  /\b(?:generat\w*|gera\w*|genera\w*|genere\w*|erzeugt\w*) (?:[\w']+ ){0,2}(?:cost\w*|fees?|gas|custos?|taxas?|tarifas?|transac\w*|transazion\w*|costes?|costos?|comision\w*|frais|kosten|gebuhr\w*|nenhum\w*|gastos?|cobranc\w*|cargos?)/g;

/** The words of a text that no proof of a wallet needs, without accents. */
export const dangersIn = (text: string): readonly string[] => {
  const folded = fold(text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  const words = folded.replace(COSTS, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  const isBad = (word: string) => whole.has(word) || starts.some((stem) => word.startsWith(stem));
  return [...new Set([...words.filter(isBad), ...inside.filter((stem) => folded.includes(stem))])];
};
