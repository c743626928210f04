import { fold } from './vocabulary.ts';

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
