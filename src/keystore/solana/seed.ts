import bs58 from 'bs58';
import { ed25519PublicKey } from '../../core/ed25519.ts';

/** Bytes of the seed of an ed25519 pair. The rest of a Solana key derives from it. */
export const SEED_BYTES = 32;

/** The address of a seed: its public key in base58. */
export const solanaAddressOf = (seed: Uint8Array): string => bs58.encode(ed25519PublicKey(seed));

/** The 64-byte form of solana-keygen and wallets: the seed and its public key. The caller wipes it. */
export const pairBytes = (seed: Uint8Array): Uint8Array => Buffer.concat([seed, ed25519PublicKey(seed)]);
