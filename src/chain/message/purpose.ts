import { EVM_CHAINS, EVM_NAMES_IN_PROSE, sandboxChainId } from '../../contract/chains.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass } from '../review/check.ts';
import { dangersIn } from './dangers.ts';
import { isOwnHost, type OwnHosts } from './host.ts';
import { linesIn, readWords } from './plain-text.ts';
import { claimsIn, readSignIn, type SignIn } from './sign-in.ts';
import { fold, sensesOf } from './vocabulary.ts';

/** A text, and what it is recognised by. */
export type ProofText = {
  readonly message: string;
  readonly key: { readonly chain: KeyChain; readonly address: string };
  readonly own: OwnHosts;
  /** The user's own mailbox, where the proof links one. */
  readonly email?: string | undefined;
};

const SHOWN = 5;

const quoted = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .slice(0, SHOWN)
    .map((text) => `"${inSentence(text)}"`)
    .join(', ');

const serviceIn = ({ own }: ProofText): string => (own.service === undefined ? 'the service' : own.service);

const checkPlaces = (given: ProofText, places: Parameters<typeof foreignPlaces>[0]): readonly Check[] => {
  const foreign = foreignPlaces(places, given.own, given.email);
  if (foreign.length === 0) return [];
  return [confirm('domain', `It names ${quoted(foreign)}, and it came from ${serviceIn(given)}.`)];
};

const checkDangers = (dangers: readonly string[]): readonly Check[] => {
  if (dangers.length === 0) return [];
  const why = 'the signature of such a text may be the key of an account elsewhere';
  return [confirm('purpose', `It has words that no proof of a wallet needs (${quoted(dangers)}): ${why}.`)];
};

const EVM_IDS = EVM_CHAINS.flatMap(({ id }) => [String(id), String(sandboxChainId(id))]);
const SOLANA_IDS = /^(?:solana:)?(?:mainnet|mainnet-beta|testnet|devnet|localnet|1|10[1-3]|[1-9A-HJ-NP-Za-km-z]{32})$/;

const isKnownChain = ({ chain, chainId }: SignIn): boolean =>
  chainId === undefined || (chain === 'evm' ? EVM_IDS.includes(chainId) : SOLANA_IDS.test(chainId));

/** A sentence in a language that bursar does not read says nothing that counts for it. */
const isReadable = (statement: string): boolean => {
  const words = fold(statement).match(/\p{L}{2,}/gu) ?? [];
  return words.filter((word) => sensesOf(word) === undefined).length * 2 < words.length;
};

/** A sign-in in its whole form: it and everything that it names is the service's, and its statement asks for no key. */
const checkSignIn = (given: ProofText, signIn: SignIn): readonly Check[] => {
  const { domain, uri, statement = '', resources } = signIn;
  const { places, rest } = takePlaces(statement);
  const links = takePlaces([...(uri === undefined ? [] : [uri]), ...resources].join('\n')).places;
  const linked = links.length === resources.length + (uri === undefined ? 0 : 1);
  const message = `It signs you in at ${domain}`;
  return [
    isOwnHost(domain, given.own)
      ? pass('domain', `${message}.`)
      : confirm('domain', `${message}, and it came from ${serviceIn(given)}.`),
    ...checkPlaces(given, [...links, ...places]),
    ...(linked ? [] : [confirm('domain', 'It names something that is no address of a web page.')]),
    ...(isKnownChain(signIn)
      ? []
      : [confirm('chain', `It is for a chain that bursar does not know: "${inSentence(signIn.chainId ?? '')}".`)]),
    ...checkDangers(dangersIn(statement)),
    ...(statement === '' || isReadable(rest)
      ? []
      : [confirm('purpose', 'It has a statement in words that bursar does not know.')]),
  ];
};

/** Texts whose signature is itself a key ask to be signed nowhere else, or in few places. */
const FOR_ONE_SITE = [
  /\b(?:only|never|(?:do|should) not|don['’]?t) (?:\w+ )?sign\b|\bsign (?:\w+ ){0,3}only (?:on|at|in)\b|\bonly be signed\b/,
  /\b(?:so|somente|apenas|unicamente|nunca|nao) (?:\w+ )?assin|\bassin\w* (?:\w+ ){0,3}(?:so|apenas|somente) (?:em|no|na)\b/,
  /\b(?:solo|solamente|unicamente|nunca|no) (?:\w+ )?firm[ae]|\bfirm\w* (?:\w+ ){0,3}(?:solo|solamente|unicamente) en\b/,
  /\bnur (?:[\w,]+ ){0,6}(?:unterschr|unterzeich|signier)|\b(?:unterschreib|unterzeichn|signier)\w* (?:\w+ ){0,4}nur\b/,
  /\bne (?:\w+ )?signez\b|\bsignez (?:\w+ ){0,3}(?:uniquement|seulement)\b/,
];

/** Who asked for nothing is told not to sign: that says nothing of a place. */
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

/** Plain lines: every place in them is the service's, and their words are those of a proof of this wallet. */
const checkLines = (given: ProofText): readonly Check[] => {
  const { message, key, own } = given;
  const { places, rest } = takePlaces(linesIn(message).join('\n'));
  const found = readWords(rest.split('\n'), { address: key.address, own });
  const isNamed = places.length > 0 && foreignPlaces(places, own, given.email).length === 0;
  const doubts: readonly (readonly [boolean, Check])[] = [
    [claimsIn(message) !== undefined, confirm('domain', 'It begins like a sign-in and is not wholly in that form.')],
    [
      found.isLogin && !isNamed,
      confirm('domain', 'It lets you in somewhere, and does not say that it is the service.'),
    ],
    [
      isForOneSite(rest) && !isNamed,
      confirm(
        'purpose',
        'It says itself that it may not be signed anywhere: its signature may be the key of an account elsewhere.',
      ),
    ],
    [OTHER_CHAIN[key.chain].test(rest), confirm('chain', `It names a chain of another family than ${key.chain}.`)],
    [found.acts.length > 0, confirm('purpose', `It asks for more than a proof of the wallet (${quoted(found.acts)}).`)],
    [
      !found.isKnown,
      confirm(
        'purpose',
        `It is not recognised as a proof of this wallet: it has words that bursar does not know (${quoted(found.unknown)}).`,
      ),
    ],
    [
      !found.isProof && !isNamed,
      confirm('purpose', 'It does not say that it proves a wallet or serves a verification.'),
    ],
  ];
  return [
    ...checkPlaces(given, places),
    ...checkDangers(found.dangers),
    ...doubts.flatMap(([is, check]) => (is ? [check] : [])),
  ];
};

/** The hosts that a text names: where it signs in, and those of its links, mailboxes and words. */
export const hostsIn = ({ message }: ProofText): readonly string[] => {
  const signIn = readSignIn(message);
  const { places } = takePlaces(linesIn(message).join('\n'));
  const named = places.map(({ host, written }) => (host ?? written).toLowerCase());
  return [...new Set([...(signIn === undefined ? [] : [signIn.domain.toLowerCase()]), ...named])];
};

/** Bytes of a key, and of what keys are made of. */
const KEY_BYTES = 32;

/**
 * Whether a text is recognised as a proof of this wallet to this service. What is not wholly recognised is asked about: whoever
 * gives a text to sign may have it from another site, whose account the signature opens.
 */
export const checkRecognition = (given: ProofText): readonly Check[] => {
  const { message } = given;
  const isKeySize = Buffer.byteLength(message) === KEY_BYTES;
  const signIn = readSignIn(message);
  const checks = [
    ...(isKeySize ? [confirm('text', 'It has exactly 32 bytes, as a key or a digest has.')] : []),
    ...(signIn === undefined ? checkLines(given) : checkSignIn(given, signIn)),
  ];
  const isFine = checks.every(({ verdict }) => verdict === 'pass');
  return isFine ? [...checks, pass('purpose', 'It is a proof of this wallet for this service.')] : checks;
};

/** One place that a text names: `written` as it stands there, `host` where it has one that can be read. */
type Place = { readonly written: string; readonly host?: string; readonly mailbox?: string };

/** The places of a text, and the text without them. */
type PlacesAndRest = { readonly places: readonly Place[]; readonly rest: string };

/** What is around a word and no part of it. IPv6 addresses keep their brackets. */
const AROUND =
  /^[\s"'“”„‘’«»‹›<>(){}|,;*_`¿¡!?。、，；：（）「」]+|[\s"'“”„‘’«»‹›<>(){}|,;:.…*_`!?。、，；：（）「」]+$/gu;

/** A label that stands before its value without a space, as in `URI:https://pay.example.com`. */
const LABEL = /^(?!https?:|wss?:|localhost:)[\p{L}_-]{2,24}[:=](?=\S)(?!\/)/u;

const SCHEME =
  /^[a-z][a-z0-9+.-]*:(?=[\\/]|\/\/)|^(?:https?|wss?|ftp|file|mailto|javascript|data|ipfs|ipns|ens|blob|intent|wc|tel|sms):|^[\\/]{2}/i;
const WEB = /^(?:https?|wss?):/i;

/** Words of prose with a dot in them that name no host. */
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
  // What stands before an @ only makes a stranger's host look like another.
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

/** Dots of other scripts, which browsers read as the dot of a host. A full stop between words of Chinese is none. */
const withPlainDots = (text: string): string =>
  text.normalize('NFKC').replace(/(?<=[a-z0-9-])[。｡](?=[a-z0-9-])/gi, '.');

/** Takes every host, URL, mailbox and address of a machine out of a text, with a scheme before it or without. */
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
  // Brackets and quotes of prose and of Markdown part words; those of an IPv6 address do not.
  const parted = withPlainDots(text).replace(
    /\]\(|[<>"“”„«»|]|\[(?![0-9a-f]*:)/gi,
    (found) => ` ${found.replace(/\]/, '')} `,
  );
  const rest = parted.replace(/[^\s,;，、；]+/gu, withoutPlaces);
  return { places, rest };
};

/** The places that are neither the service's nor the user's own mailbox, as they are written. */
const foreignPlaces = (places: readonly Place[], own: OwnHosts, email: string | undefined): readonly string[] =>
  places
    .filter(({ host, mailbox }) => {
      if (mailbox !== undefined && email !== undefined && mailbox.toLowerCase() === email.toLowerCase()) return false;
      return host === undefined || !isOwnHost(host, own);
    })
    .map(({ written }) => written);
