import bs58 from 'bs58';
import { EVM_NAMES, type KeyChain } from '../../contract/chains.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { escapeText, inSentence, isSameAddress } from '../../core/text.ts';
import {
  assertPasses,
  type Check,
  type Consent,
  confirm,
  pass,
  refuse,
  type Verdict,
  worstFirst,
  worstOf,
} from '../review/check.ts';
import { checkFamily, checkHosts } from '../review/check-policy.ts';
import type { PolicyInForce } from '../review/policy.ts';
import { isEvmSignature, signEvmMessage } from './evm.ts';
import { isOwnHost } from './host.ts';
import { linesIn } from './plain-text.ts';
import { checkRecognition, hostsIn } from './purpose.ts';
import { claimsIn, expiryIn, readSignIn } from './sign-in.ts';
import { assertSignableText, isSolanaSignature, signSolanaMessage } from './solana.ts';

/** A challenge of the service (document: POST /security/wallet/challenge), and the key that should sign it. */
export type ChallengeInput = {
  readonly message: string;
  /** Wallet and chain in the service's answer, where it has them. */
  readonly wallet?: string | undefined;
  readonly walletChain?: string | undefined;
  readonly key: { readonly chain: KeyChain; readonly address: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The host of the service; left out where it is not known. */
  readonly host?: string | undefined;
  /** Further hosts of the service: `challenge_hosts` of the user's profile. Those of policies count too. */
  readonly hosts?: readonly string[] | undefined;
  /** The user's e-mail address that this proof links. */
  readonly email?: string | undefined;
  /** The policies that apply to this signature. */
  readonly policy?: PolicyInForce | undefined;
};

/** The review of a challenge; the user sees it before a signature. */
export type ChallengeReview = {
  readonly verdict: Verdict;
  readonly chain: KeyChain;
  readonly wallet: string;
  /** The site that requests the signature, if the text names one. */
  readonly domain?: string;
  /** The expiry in the text. */
  readonly expires?: string;
  readonly checks: readonly Check[];
  /** The text that may be signed, unchanged. */
  readonly message: string;
};

/** A longer text scrolls off the screen and can hide something. */
const MAX_CHARACTERS = 10_000;

const checkText = ({ message }: ChallengeInput): Check => {
  if (message.length > MAX_CHARACTERS) {
    return refuse('text', `The text has ${message.length} characters; the maximum is ${MAX_CHARACTERS}.`);
  }
  try {
    assertSignableText(message);
    return pass('text', 'The text is readable and is no transaction.');
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) return refuse('text', `${error.message}.`);
    throw error;
  }
};

const checkWallet = ({ message, wallet, key }: ChallengeInput): Check => {
  const isOther = (address: string | undefined) => address !== undefined && !isSameAddress(address, key.address);
  const refused = (claim: string) => refuse('wallet', `${claim}; the key has the address ${key.address}.`);
  if (isOther(wallet)) return refused(`The challenge is for ${inSentence(escapeText(wallet ?? ''))}`);
  const named = addressesIn(message);
  const other = named.find(isOther);
  if (other !== undefined) return refused(`The text names ${other}`);
  const claimed = claimsIn(message)?.address;
  if (isOther(claimed)) return refused(`The text is for ${inSentence(escapeText(claimed ?? ''))}`);
  if (named.length === 0) return pass('wallet', 'The text names no wallet.');
  return pass('wallet', `The text names ${key.address}, the address of the key.`);
};

/** The family of a chain's name; `undefined` for an unknown name. */
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
  if (other) return refuse('chain', `The challenge is for a wallet of ${other}; the key is of ${key.chain}.`);
  if (!claims.includes(key.chain)) return pass('chain', 'The text names no chain.');
  return pass('chain', `The challenge is for a wallet of ${key.chain}, like the key.`);
};

/** Compares a challenge with the wallet that should sign it, and with the service. Reads only its input. */
export const reviewChallenge = (input: ChallengeInput): ChallengeReview => {
  const { message, key, email, policy, hosts = [] } = input;
  const added = [...hosts, ...(policy?.challengeHosts ?? [])];
  const proof = { message, key, email, own: { service: input.host, added } };
  const checks = worstFirst([
    checkText(input),
    checkWallet(input),
    checkChain(input),
    ...checkTime(message, input.now),
    ...checkRecognition(proof),
    ...checkFamily(input.policy, key.chain),
    ...checkHosts(input.policy, hostsIn(proof), (each) => isOwnHost(each, { service: input.host, added: [] })),
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

/** A nonce may look like an address, so its line does not count. */
const NONCE_LINE = /^\s*"?nonce"?[ \t]*:[ \t]*"?[\w+/=-]+"?,?[ \t]*$/gim;

const EVM = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi;
const BASE58_WORD = /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/g;

const isSolana = (consent: string): boolean => bs58.decodeUnsafe(consent)?.length === 32;

/** Every EVM and Solana address in a text, as written there. */
const addressesIn = (text: string): readonly string[] => {
  const shown = text.replace(NONCE_LINE, '');
  return [...(shown.match(EVM) ?? []), ...(shown.match(BASE58_WORD) ?? []).filter(isSolana)];
};

/** Seconds or milliseconds since 1970. */
const EPOCH = /^\d{10}(?:\d{3})?$/;

const timeOf = (text: string): number => {
  if (EPOCH.test(text)) return Number(text.padEnd(13, '0'));
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
};

/** The validity in a text. `now` is milliseconds since 1970. */
const checkTime = (message: string, now: number): readonly Check[] => {
  const expires = expiryIn(linesIn(message).join('\n'));
  const notBefore = claimsIn(message)?.notBefore;
  if (notBefore !== undefined && timeOf(notBefore) > now) {
    return [refuse('expiry', `The text is not valid before ${inSentence(escapeText(notBefore))}.`)];
  }
  if (expires === undefined) return [];
  const time = timeOf(expires);
  if (Number.isNaN(time))
    return [confirm('expiry', `The text expires at "${inSentence(escapeText(expires))}", which is not a valid time.`)];
  if (time <= now) return [refuse('expiry', `The text expired at ${inSentence(expires)}.`)];
  return [pass('expiry', `The text expires at ${inSentence(expires)}.`)];
};

/**
 * Signs the text of a challenge whose review passes: an EVM personal message in hex, or a detached ed25519 signature in base58.
 * Throws `refused_by_review` like `assertPasses`, and for the key of another wallet.
 */
export const signChallenge = (review: ChallengeReview, consent: Consent, privateKey: Uint8Array): string => {
  assertPasses(review.checks, consent);
  const { chain, message, wallet } = review;
  // The `signed_bytes` for a wallet's chain (document: POST /kyc/prepare-wallet).
  const signature = (chain === 'evm' ? signEvmMessage : signSolanaMessage)(message, privateKey);
  if ((chain === 'evm' ? isEvmSignature : isSolanaSignature)(message, signature, wallet)) return signature;
  throw new Failure('refused_by_review', `The key does not belong to ${review.wallet}.`);
};
