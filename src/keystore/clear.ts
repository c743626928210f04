import bs58 from 'bs58';
import type { KeyChain } from '../contract/key-chain.ts';
import { ed25519PublicKey } from '../core/ed25519.ts';
import { Failure } from '../core/failure.ts';
import { isPrivateKey } from './evm-key.ts';
import { pairBytes, SEED_BYTES } from './solana/seed.ts';
import { wiping } from './wiping.ts';

const HIDDEN = { hint: 'The text is not shown here, so that it stays secret.' };
const PAIR_BYTES = 64;
/** The longest that 64 bytes are in base58. */
const LONGEST_BASE58 = 88;

/** 64 hex digits, with or without 0x, space around them ignored. */
const parseEvm = (text: string): Uint8Array => {
  const digits = text.trim().replace(/^0x/i, '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) {
    throw new Failure('invalid_input', 'this is not a private key: 64 hex digits, with or without 0x in front', HIDDEN);
  }
  const privateKey = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (isPrivateKey(privateKey)) return privateKey;
  throw new Failure('invalid_input', 'this is not a private key: it is zero, or not below the order of secp256k1');
};

/** What solana-keygen writes: a JSON array of 64 numbers. `undefined` for anything else. */
const fromNumbers = (text: string): Uint8Array | undefined => {
  if (!/^\[(?:\s*\d{1,3}\s*,){63}\s*\d{1,3}\s*\]$/.test(text)) return undefined;
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  return numbers.every((number) => number < 256) ? Uint8Array.from(numbers) : undefined;
};

const pairIn = (text: string): Uint8Array => {
  const bytes = fromNumbers(text) ?? (text.length <= LONGEST_BASE58 ? bs58.decodeUnsafe(text) : undefined);
  if (bytes?.length === PAIR_BYTES) return bytes;
  const isHalf = bytes?.length === SEED_BYTES;
  bytes?.fill(0);
  throw new Failure(
    'invalid_input',
    isHalf
      ? 'this has 32 bytes, as an address has: a Solana key is imported with both halves, 64 bytes'
      : 'this is not a Solana key: 64 bytes in base58, or as the JSON array of solana-keygen',
    HIDDEN,
  );
};

/** Both halves are held against each other: with a wrong public half every signature would help to find the key. */
const parseSolana = (text: string): Promise<Uint8Array> =>
  wiping(pairIn(text.trim()), (pair) => {
    const seed = Uint8Array.from(pair.subarray(0, SEED_BYTES));
    if (Buffer.compare(ed25519PublicKey(seed), pair.subarray(SEED_BYTES)) === 0) return seed;
    seed.fill(0);
    throw new Failure('invalid_input', 'the public half of this key is not that of its secret half', {
      hint: 'It is damaged, or was put together to trick a signer. Nothing was imported.',
    });
  });

/**
 * A private key written in the clear: hex for EVM; for Solana the 64 bytes of a wallet's base58 or solana-keygen's
 * JSON. The caller wipes it. Throws `invalid_input`, which never quotes the text.
 */
export const parsePrivateKey = async (chain: KeyChain, text: string): Promise<Uint8Array> =>
  chain === 'evm' ? parseEvm(text) : parseSolana(text);

/** The private key in the open, and a line feed: as `parsePrivateKey` takes it, and as the chain's wallets do. */
export const printPrivateKey = (chain: KeyChain, privateKey: Uint8Array): Promise<string> =>
  chain === 'evm'
    ? Promise.resolve(`0x${Buffer.from(privateKey).toString('hex')}\n`)
    : wiping(pairBytes(privateKey), (pair) => `${bs58.encode(pair)}\n`);

/** A Solana key as solana-keygen keeps it: its 64 bytes as a JSON array, in the open. */
export const printKeypair = (seed: Uint8Array): Promise<string> =>
  wiping(pairBytes(seed), (pair) => `[${[...pair].join(',')}]\n`);
