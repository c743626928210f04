import bs58 from 'bs58';
import { ED25519_KEY_BYTES, ed25519PublicKey, signEd25519, verifyEd25519 } from '../../core/ed25519.ts';
import { Failure } from '../../core/failure.ts';
import { assertSecondVerifier } from '../solana/second-verifier.ts';
import { assertSignableText } from './solana-text.ts';

/** Longer than any signature or address of 64 and 32 bytes in base58. */
const LONGEST = 100;

const bytesOf = (base58: string): Uint8Array =>
  (base58.length <= LONGEST ? bs58.decodeUnsafe(base58) : undefined) ?? new Uint8Array();

/**
 * Whether `signature`, base58, is the owner's of a Solana address over the UTF-8 bytes of a text. Throws
 * `invalid_input` when the address is none.
 */
export const isSolanaSignature = (text: string, signature: string, address: string): boolean => {
  const publicKey = bytesOf(address);
  if (publicKey.length !== ED25519_KEY_BYTES) throw new Failure('invalid_input', 'this is not a Solana address');
  return verifyEd25519(Buffer.from(text), bytesOf(signature), publicKey);
};

/**
 * Signs a text with a Solana key, given as its seed of 32 bytes: the detached ed25519 signature of its UTF-8 bytes,
 * as base58. Throws `refused_by_review` as `assertSignableText`.
 */
export const signSolanaMessage = (text: string, seed: Uint8Array): string => {
  assertSignableText(text);
  const bytes = Buffer.from(text);
  const signature = signEd25519(bytes, seed);
  const publicKey = ed25519PublicKey(seed);
  if (!verifyEd25519(bytes, signature, publicKey)) {
    throw new Failure('internal', 'the signature that was made does not verify');
  }
  assertSecondVerifier(bytes, signature, publicKey);
  return bs58.encode(signature);
};
