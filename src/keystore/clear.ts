import bs58 from 'bs58';
import type { KeyChain } from '../contract/key-chain.ts';
import { ed25519PublicKey } from '../core/ed25519.ts';
import { Failure } from '../core/failure.ts';
import { isPrivateKey } from './evm-key.ts';
import { pairBytes, SEED_BYTES } from './solana/seed.ts';
import { wiping } from './wiping.ts';

const HIDDEN = { hint: 'The text is not shown, because it may be secret.' };
const PAIR_BYTES = 64;
/** Most characters of 64 bytes in base58. */
const MAX_BASE58_LENGTH = 88;

/** 64 hex digits, with or without 0x, space around them ignored. */
const parseEvm = (text: string): Uint8Array => {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) {
    throw new Failure(
      'invalid_input',
      'this is not a private key: it must be 64 hex digits, with or without 0x',
      HIDDEN,
    );
  }
  const privateKey = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (isPrivateKey(privateKey)) return privateKey;
  throw new Failure('invalid_input', 'this is not a private key: it is zero, or not below the order of secp256k1');
};

/** The format of solana-keygen: a JSON array of 64 numbers. `undefined` for anything else. */
const fromNumbers = (text: string): Uint8Array | undefined => {
  if (!/^\[(?:\s*\d{1,3}\s*,){63}\s*\d{1,3}\s*\]$/.test(text)) return undefined;
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
};

const pairIn = (text: string): Uint8Array => {
  const bytes = fromNumbers(text) ?? (text.length <= MAX_BASE58_LENGTH ? bs58.decodeUnsafe(text) : undefined);
  if (bytes?.length === PAIR_BYTES) return bytes;
  const isHalf = bytes?.length === SEED_BYTES;
  bytes?.fill(0);
  throw new Failure(
    'invalid_input',
    isHalf
      ? 'this has 32 bytes, like an address: a Solana key must have both halves, 64 bytes'
      : 'this is not a Solana key: it must be 64 bytes in base58, or the JSON array of solana-keygen',
    HIDDEN,
  );
};

/** Checks that the halves match: signatures with a wrong public half reveal the private key. */
const parseSolana = (text: string): Promise<Uint8Array> =>
  wiping(pairIn(text.trim()), (pair) => {
    const seed = Uint8Array.from(pair.subarray(0, SEED_BYTES));
    if (Buffer.compare(ed25519PublicKey(seed), pair.subarray(SEED_BYTES)) === 0) return seed;
    seed.fill(0);
    throw new Failure('invalid_input', 'the public half of this key does not match its secret half', {
      hint: 'The key is damaged or forged. Nothing was imported.',
    });
  });

/**
 * Parses an unencrypted private key: hex for EVM; for Solana 64 bytes in base58 or as JSON of solana-keygen. The caller
 * wipes it. Throws `invalid_input`, which never quotes the text.
 */
export const parsePrivateKey = async (chain: KeyChain, text: string): Promise<Uint8Array> =>
  chain === 'evm' ? parseEvm(text) : parseSolana(text);

/** The unencrypted private key and a line feed, in the format of `parsePrivateKey` and of wallets. */
export const printPrivateKey = (chain: KeyChain, privateKey: Uint8Array): Promise<string> =>
  chain === 'evm'
    ? Promise.resolve(`0x${Buffer.from(privateKey).toString('hex')}\n`)
    : wiping(pairBytes(privateKey), (pair) => `${bs58.encode(pair)}\n`);

/** A Solana key in the format of solana-keygen: its 64 bytes as a JSON array, unencrypted. */
export const printKeypair = (seed: Uint8Array): Promise<string> =>
  wiping(pairBytes(seed), (pair) => `[${[...pair].join(',')}]\n`);
