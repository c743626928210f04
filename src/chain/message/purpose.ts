import { EVM_CHAINS, EVM_NAMES_IN_PROSE, type KeyChain, sandboxChainId } from '../../contract/chains.ts';
import { inSentence } from '../../core/text.ts';
import { type Check, confirm, pass } from '../review/check.ts';
import { isOwnHost, type OwnHosts } from './host.ts';
import { linesIn, readWords } from './plain-text.ts';
import { claimsIn, readSignIn, type SignIn } from './sign-in.ts';
import { dangersIn, fold, sensesOf } from './vocabulary.ts';

/** A text that should prove a wallet, and the facts to compare it with. */
export type ProofText = {
  readonly message: string;
  readonly key: { readonly chain: KeyChain; readonly address: string };
  readonly own: OwnHosts;
  /** The user's e-mail address, if the proof links one. */
  readonly email?: string | undefined;
};

const SHOWN = 5;

const quoted = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .slice(0, SHOWN)
    .map((text) => `"${inSentence(text)}"`)
    .join(', ');

const serviceIn = ({ own }: ProofText): string => own.service ?? 'the service';

const checkPlaces = (proof: ProofText, places: Parameters<typeof foreignPlaces>[0]): readonly Check[] => {
  const foreign = foreignPlaces(places, proof.own, proof.email);
  if (foreign.length === 0) return [];
  return [confirm('domain', `The text names ${quoted(foreign)}; it came from ${serviceIn(proof)}.`)];
};

const OF_ANOTHER_SITE = 'Its signature may be the key of an account on another site.';

const checkDangers = (dangers: readonly string[]): readonly Check[] => {
  if (dangers.length === 0) return [];
  const message = `The text has words that no proof of a wallet needs: ${quoted(dangers)}`;
  return [confirm('purpose', `${message}. ${OF_ANOTHER_SITE}`)];
};

const EVM_IDS = EVM_CHAINS.flatMap(({ id }) => [String(id), String(sandboxChainId(id))]);
const SOLANA_IDS = /^(?:solana:)?(?:mainnet|mainnet-beta|testnet|devnet|localnet|1|10[1-3]|[1-9A-HJ-NP-Za-km-z]{32})$/;

/** Whether bursar knows most words of a statement. */
const isReadable = (statement: string): boolean => {
  const words = fold(statement).match(/\p{L}{2,}/gu) ?? [];
  return words.filter((word) => sensesOf(word) === undefined).length * 2 < words.length;
};

/** A complete sign-in text: all its hosts are the service's, and its statement requests no key. */
const checkSignIn = (proof: ProofText, signIn: SignIn): readonly Check[] => {
  const { chain, chainId = '', domain, uri, statement = '', resources } = signIn;
  const { places, rest } = takePlaces(statement);
  const links = takePlaces([...(uri === undefined ? [] : [uri]), ...resources].join('\n')).places;
  const linked = links.length === resources.length + (uri === undefined ? 0 : 1);
  const message = `The text signs you in at ${domain}`;
  const isOwn = isOwnHost(domain, proof.own);
  const isOfChain = chain === 'evm' ? EVM_IDS.includes(chainId) : SOLANA_IDS.test(chainId);
  const otherChain = `The text is for a chain that bursar does not know: "${inSentence(chainId)}".`;
  const isUnread = statement !== '' && !isReadable(rest);
  return [
    isOwn ? pass('domain', `${message}.`) : confirm('domain', `${message}; it came from ${serviceIn(proof)}.`),
    ...checkPlaces(proof, [...links, ...places]),
    ...(linked ? [] : [confirm('domain', 'The text has a link that is not a web address.')]),
    ...(signIn.chainId === undefined || isOfChain ? [] : [confirm('chain', otherChain)]),
    ...checkDangers(dangersIn(statement)),
    ...(isUnread ? [confirm('purpose', 'The text has a statement in words that bursar does not know.')] : []),
  ];
};

/** A text whose signature is itself a key often asks to be signed only on its site. */
const FOR_ONE_SITE = [
  /\b(?:only|never|(?:do|should) not|don['’]?t) (?:\w+ )?sign\b|\bsign (?:\w+ ){0,3}only (?:on|at|in)\b|\bonly be signed\b/,
  /\b(?:so|somente|apenas|unicamente|nunca|nao) (?:\w+ )?assin|\bassin\w* (?:\w+ ){0,3}(?:so|apenas|somente) (?:em|no|na)\b/,
  /\b(?:solo|solamente|unicamente|nunca|no) (?:\w+ )?firm[ae]|\bfirm\w* (?:\w+ ){0,3}(?:solo|solamente|unicamente) en\b/,
  /\bnur (?:[\w,]+ ){0,6}(?:unterschr|unterzeich|signier)|\b(?:unterschreib|unterzeichn|signier)\w* (?:\w+ ){0,4}nur\b/,
  /\bne (?:\w+ )?signez\b|\bsignez (?:\w+ ){0,3}(?:uniquement|seulement)\b/,
];

/** "If you did not request this, do not sign" names no site. */
const UNASKED =
  /^\s*(?:if|se|si|wenn|falls|sofern)\b.*(?:request|initiat|solicit|pedi|demand|angefordert|veranlasst|richiest)/;

const isForOneSite = (text: string): boolean =>
  fold(text)
    .split(/[.!?;\n]/)
    .some((sentence) => !UNASKED.test(sentence) && FOR_ONE_SITE.some((pattern) => pattern.test(sentence)));

const OTHER_CHAIN: Readonly<Record<KeyChain, RegExp>> = {
  evm: /\b(?:solana|sol|spl)\b/i,
  solana: new RegExp(`\\b(?:eip155|erc20|${EVM_NAMES_IN_PROSE.join('|')})\\b`, 'i'),
};

/** Plain lines: all their hosts are the service's, and their words are those of a proof of this wallet. */
const checkLines = (proof: ProofText): readonly Check[] => {
  const { message, key, own } = proof;
  const { places, rest } = takePlaces(linesIn(message).join('\n'));
  const found = readWords(rest.split('\n'), { address: key.address, own });
  const isNamed = places.length > 0 && foreignPlaces(places, own, proof.email).length === 0;
  const onlyThere = 'The text asks to be signed only on certain sites';
  const isUnproven = !found.isProof && !isNamed;
  const doubts = [
    [claimsIn(message) !== undefined, 'domain', 'The text starts like a sign-in but is not in its complete form.'],
    [found.isLogin && !isNamed, 'domain', 'The text is a login, but does not name the service.'],
    [isForOneSite(rest) && !isNamed, 'purpose', `${onlyThere}. ${OF_ANOTHER_SITE}`],
    [OTHER_CHAIN[key.chain].test(rest), 'chain', `The text names a chain of another family than ${key.chain}.`],
    [found.acts.length > 0, 'purpose', `The text requests more than a proof of the wallet: ${quoted(found.acts)}.`],
    [
      !found.isKnown,
      'purpose',
      `This is not a recognised proof of the wallet. Unknown words: ${quoted(found.unknown)}.`,
    ],
    [isUnproven, 'purpose', 'The text does not state that it proves a wallet or serves a verification.'],
  ] as const;
  return [
    ...checkPlaces(proof, places),
    ...checkDangers(found.dangers),
    ...doubts.flatMap(([is, id, doubt]) => (is ? [confirm(id, doubt)] : [])),
  ];
};

/** The hosts that a text names: of its sign-in, links, e-mail addresses and words. */
export const hostsIn = ({ message }: ProofText): readonly string[] => {
  const signIn = readSignIn(message);
  const { places } = takePlaces(linesIn(message).join('\n'));
  const named = places.map(({ host, written }) => (host ?? written).toLowerCase());
  return [...new Set([...(signIn === undefined ? [] : [signIn.domain.toLowerCase()]), ...named])];
};

/** The length of keys and digests, in bytes. */
const KEY_BYTES = 32;

/**
 * Whether bursar recognises a text as a proof of this wallet for this service. Otherwise the user must confirm it: the text may
 * come from another site, and its signature may unlock an account there.
 */
export const checkRecognition = (proof: ProofText): readonly Check[] => {
  const { message } = proof;
  const isKeySize = Buffer.byteLength(message) === KEY_BYTES;
  const signIn = readSignIn(message);
  const checks = [
    ...(isKeySize ? [confirm('text', 'The text has exactly 32 bytes, like a key or a digest.')] : []),
    ...(signIn === undefined ? checkLines(proof) : checkSignIn(proof, signIn)),
  ];
  const isFine = checks.every(({ verdict }) => verdict === 'pass');
  return isFine ? [...checks, pass('purpose', 'The text is a proof of this wallet for this service.')] : checks;
};

/** A host, URL or e-mail address in a text: `written` as it stands there, `host` if it has a valid one. */
type Place = { readonly written: string; readonly host?: string; readonly mailbox?: string };

/** The hosts, URLs and e-mail addresses of a text, and the text without them. */
type PlacesAndRest = { readonly places: readonly Place[]; readonly rest: string };

/** Punctuation around a word. IPv6 addresses keep their brackets. */
const AROUND =
  /^[\s"'“”„‘’«»‹›<>(){}|,;*_`¿¡!?。、，；：（）「」]+|[\s"'“”„‘’«»‹›<>(){}|,;:.…*_`!?。、，；：（）「」]+$/gu;

/** A label directly before its value, as in `URI:https://pay.example.com`. */
const LABEL = /^(?!https?:|wss?:|localhost:)[\p{L}_-]{2,24}[:=](?=\S)(?!\/)/u;

const SCHEME =
  /^[a-z][a-z0-9+.-]*:(?=[\\/]|\/\/)|^(?:https?|wss?|ftp|file|mailto|javascript|data|ipfs|ipns|ens|blob|intent|wc|tel|sms):|^[\\/]{2}/i;
const WEB = /^(?:https?|wss?):/i;

/** Words with a dot that are no host. */
const ABBREVIATION =
  /^(?:e\.g|i\.e|a\.m|p\.m|z\.b|d\.h|u\.a|p\.ej|ex|n\.º?|s\.a|ltd|inc|no|nr|v?\d+(?:[.,:]\d+)*%?)\.?$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/;
const TIME = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const DOTTED = /[\p{L}\p{N}_-]\.[\p{L}\p{N}_-]/u;
const LOCAL = /^(?:localhost|\[[0-9a-f:.]+\]|[0-9a-f]*::[0-9a-f:.]*)(?:[:/?#]|$)/i;

const inUrl = (written: string): Place => {
  const text = written.replaceAll('\\', '/');
  if (!WEB.test(text) || !URL.canParse(text)) return { written };
  const { host, username, password } = new URL(text);
  // A part before an @ only makes one host look like another.
  return username || password || host === '' ? { written } : { written, host };
};

const placeIn = (word: string): Place | undefined => {
  if (SCHEME.test(word)) return inUrl(word);
  if (word.includes('@')) {
    const mailbox = /^[^@\s]+@([^@/?#\s]+)$/.exec(word);
    return mailbox?.[1] === undefined ? { written: word } : { written: word, host: mailbox[1], mailbox: word };
  }
  if (TIME.test(word) || (ABBREVIATION.test(word) && !IPV4.test(word))) return undefined;
  if (!DOTTED.test(word) && !LOCAL.test(word)) return undefined;
  const [host = ''] = word.split(/[/?#\\]/);
  return { written: word, host };
};

/** Takes every host, URL and e-mail address out of a text, with or without a scheme. */
const takePlaces = (text: string): PlacesAndRest => {
  const places: Place[] = [];
  const withoutPlaces = (word: string): string => {
    const bare = word.replace(AROUND, '');
    const value = bare.replace(LABEL, '');
    const found = placeIn(value);
    if (found === undefined) return word;
    places.push(found);
    return ` ${bare.slice(0, bare.length - value.length)} `;
  };
  // Browsers accept dots of other scripts in hosts. A full stop between Chinese words stays.
  const dotted = text.normalize('NFKC').replace(/(?<=[a-z0-9-])[。｡](?=[a-z0-9-])/gi, '.');
  // Brackets and quotes separate words, except in an IPv6 address.
  const parted = dotted.replace(/\]\(|[<>"“”„«»|]|\[(?![0-9a-f]*:)/gi, (found) => ` ${found.replace(/\]/, '')} `);
  const rest = parted.replace(/[^\s,;，、；]+/gu, withoutPlaces);
  return { places, rest };
};

/** The places that are neither the service's nor the user's own e-mail address, as written. */
const foreignPlaces = (places: readonly Place[], own: OwnHosts, email: string | undefined): readonly string[] =>
  places
    .filter(({ host, mailbox }) => {
      if (mailbox !== undefined && email !== undefined && mailbox.toLowerCase() === email.toLowerCase()) return false;
      return host === undefined || !isOwnHost(host, own);
    })
    .map(({ written }) => written);
