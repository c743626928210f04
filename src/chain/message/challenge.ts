import bs58 from 'bs58';
import { EVM_NAMES } from '../../contract/chains.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { inSentence } from '../../core/remote-text.ts';
import { isSameAddress } from '../../core/same-text.ts';
import { assertPasses, type Consent } from '../review/approval.ts';
import { type Check, confirm, pass, refuse, type Verdict, worstFirst, worstOf } from '../review/check.ts';
import { checkFamily, checkHosts } from '../review/check-policy.ts';
import type { PolicyInForce } from '../review/policy.ts';
import { isEvmSignature, signEvmMessage } from './evm.ts';
import { isOwnHost } from './host.ts';
import { linesIn } from './plain-text.ts';
import { checkRecognition, hostsIn } from './purpose.ts';
import { claimsIn, expiryIn, readSignIn } from './sign-in.ts';
import { assertSignableText, isSolanaSignature, signSolanaMessage } from './solana.ts';

/** What `signed_bytes` is for a wallet's chain (document: POST /kyc/prepare-wallet). */
const signWith = ({ chain, message }: ChallengeReview, privateKey: Uint8Array): string =>
  chain === 'evm' ? signEvmMessage(message, privateKey) : signSolanaMessage(message, privateKey);

const isSignedByWallet = ({ chain, message, wallet }: ChallengeReview, signature: string): boolean =>
  chain === 'evm' ? isEvmSignature(message, signature, wallet) : isSolanaSignature(message, signature, wallet);

/**
 * Signs the text of a challenge whose review passes: as EVM personal message in hex, or as detached ed25519 signature
 * in base58. Throws `refused_by_review` as `assertPasses`, and when the key is not the wallet's.
 */
export const signChallenge = (review: ChallengeReview, consent: Consent, privateKey: Uint8Array): string => {
  assertPasses(review.checks, consent);
  const signature = signWith(review, privateKey);
  if (isSignedByWallet(review, signature)) return signature;
  throw new Failure('refused_by_review', `The key is not that of ${review.wallet}.`);
};

/** A challenge as the service gives it (document: POST /security/wallet/challenge), and whose signature it wants. */
export type ChallengeInput = {
  readonly message: string;
  /** What the answer says of it, where it does. */
  readonly wallet?: string | undefined;
  readonly walletChain?: string | undefined;
  readonly key: { readonly chain: KeyChain; readonly address: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The host of the service that gave it; left out where that is not known. */
  readonly host?: string | undefined;
  /** Hosts that count as the service's: `challenge_hosts` of the user's profile. Those of policies count as well. */
  readonly hosts?: readonly string[] | undefined;
  /** The mailbox that the user links by this proof. */
  readonly email?: string | undefined;
  /** The policies that hold for this signature. */
  readonly policy?: PolicyInForce | undefined;
};

/** What bursar found out about a challenge, for the user to see before it is signed. */
export type ChallengeReview = {
  readonly verdict: Verdict;
  readonly chain: KeyChain;
  readonly wallet: string;
  /** Who asks for the signature, where the text says it. */
  readonly domain?: string;
  /** When it expires, as the text says it. */
  readonly expires?: string;
  readonly checks: readonly Check[];
  /** The very text that may be signed. */
  readonly message: string;
};

/** Whoever asks for a signature of more hides something: what scrolled away was not read. */
const MAX_CHARACTERS = 10_000;

const checkText = ({ message }: ChallengeInput): Check => {
  if (message.length > MAX_CHARACTERS) {
    return refuse('text', `It has ${message.length} characters, more than a person reads (${MAX_CHARACTERS}).`);
  }
  try {
    assertSignableText(message);
    return pass('text', 'It is text that a person can read, and no transaction.');
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return refuse('text', `${error.message}.`);
    throw error;
  }
};

const checkWallet = ({ message, wallet, key }: ChallengeInput): Check => {
  if (wallet !== undefined && !isSameAddress(wallet, key.address)) {
    return refuse('wallet', `It is for ${inSentence(escapeText(wallet))}, and the key is that of ${key.address}.`);
  }
  const named = addressesIn(message);
  const other = named.find((address) => !isSameAddress(address, key.address));
  if (other !== undefined) return refuse('wallet', `It names ${other}, and the key is that of ${key.address}.`);
  const claimed = claimsIn(message)?.address;
  if (claimed !== undefined && !isSameAddress(claimed, key.address)) {
    return refuse('wallet', `It is for ${inSentence(escapeText(claimed))}, and the key is that of ${key.address}.`);
  }
  return pass('wallet', named.length === 0 ? 'It names no wallet.' : `It names the wallet of the key, ${key.address}.`);
};

/** The family of a chain's name, in the words of services; `undefined` for one that says neither. */
const familyOf = (name: string): KeyChain | undefined => {
  if (/^sol(?:ana)?(?:$|[^a-z])/i.test(name)) return 'solana';
  return EVM_NAME.test(name) ? 'evm' : undefined;
};

const EVM_NAME = new RegExp(`^(?:eip155|${EVM_NAMES.join('|')})(?:$|[^a-z])`, 'i');

const CHAIN_LINE = /^\s*"?(?:chain|network|wallet_chain)"?\s*:\s*"?([\w:.-]+)"?,?\s*$/im;

const checkChain = ({ message, walletChain, key }: ChallengeInput): Check => {
  const inText = CHAIN_LINE.exec(linesIn(message).join('\n'))?.[1];
  const claims = [claimsIn(message)?.chain, walletChain && familyOf(walletChain), inText && familyOf(inText)];
  const other = claims.find((claim) => claim && claim !== key.chain);
  if (other) return refuse('chain', `It is for a wallet of ${other}, and the key is of ${key.chain}.`);
  return pass(
    'chain',
    claims.some((claim) => claim === key.chain) ? `It is for a wallet of ${key.chain}.` : 'It names no chain.',
  );
};

/** Holds a challenge against the wallet that is to sign it. Reads nothing but its input. */
export const reviewChallenge = (input: ChallengeInput): ChallengeReview => {
  const { message, key, email, policy, hosts = [] } = input;
  const added = [...hosts, ...(policy?.challengeHosts ?? [])];
  const given = { message, key, email, own: { service: input.host, added } };
  const checks = worstFirst([
    checkText(input),
    checkWallet(input),
    checkChain(input),
    ...checkTime(message, input.now),
    ...checkRecognition(given),
    ...checkFamily(input.policy, key.chain),
    ...checkHosts(input.policy, hostsIn(given), (each) => isOwnHost(each, { service: input.host, added: [] })),
  ]);
  const domain = readSignIn(message)?.domain;
  const expires = expiryIn(message);
  return Object.freeze({
    verdict: worstOf(checks),
    chain: key.chain,
    wallet: key.address,
    ...(domain === undefined ? {} : { domain }),
    ...(expires === undefined ? {} : { expires }),
    checks: Object.freeze(checks),
    message,
  });
};

/** A number that is used once may look like anything, and is one word: what else stands on its line counts. */
const withoutNonces = (text: string): string => text.replace(/^\s*"?nonce"?[ \t]*:[ \t]*"?[\w+/=-]+"?,?[ \t]*$/gim, '');

const EVM = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi;
const BASE58_WORD = /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/g;

const isSolana = (consent: string): boolean => bs58.decodeUnsafe(consent)?.length === 32;

/** Every address that a text names, of EVM chains and of Solana, as it is written there. */
const addressesIn = (text: string): readonly string[] => {
  const shown = withoutNonces(text);
  return [...(shown.match(EVM) ?? []), ...(shown.match(BASE58_WORD) ?? []).filter(isSolana)];
};

/** Seconds or milliseconds since 1970, as programs write them. */
const EPOCH = /^\d{10}(?:\d{3})?$/;

const timeOf = (text: string): number => {
  if (EPOCH.test(text)) return Number(text.padEnd(13, '0'));
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
};

/** When a text is valid, as far as it says so. `now` is milliseconds since 1970. */
const checkTime = (message: string, now: number): readonly Check[] => {
  const expires = expiryIn(linesIn(message).join('\n'));
  const notBefore = claimsIn(message)?.notBefore;
  if (notBefore !== undefined && timeOf(notBefore) > now) {
    return [refuse('expiry', `It is not valid before ${inSentence(escapeText(notBefore))}.`)];
  }
  if (expires === undefined) return [];
  const time = timeOf(expires);
  if (Number.isNaN(time))
    return [confirm('expiry', `It says that it expires at "${inSentence(escapeText(expires))}", which is no time.`)];
  if (time <= now) return [refuse('expiry', `It expired at ${inSentence(expires)}.`)];
  return [pass('expiry', `It expires at ${inSentence(expires)}.`)];
};
