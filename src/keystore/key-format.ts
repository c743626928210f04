import type { KeyChain } from '../contract/key-chain.ts';
import type { Secret } from '../core/secret.ts';
import type { Derive, Random } from '../io/io.ts';
import { addressOf } from './evm-address.ts';
import { newPrivateKey } from './evm-key.ts';
import { encryptSolana } from './solana/encrypt.ts';
import { SEED_BYTES, solanaAddressOf } from './solana/seed.ts';
import { encryptV3 } from './v3/encrypt.ts';

/** A new private key of a chain. The caller wipes it. */
export const newKeyOf = (chain: KeyChain, random: Random): Uint8Array =>
  chain === 'evm' ? newPrivateKey(random) : random.bytes(SEED_BYTES);

/** The address of a private key, as its chain writes it. */
export const addressOfKey = (chain: KeyChain, privateKey: Uint8Array): string =>
  chain === 'evm' ? addressOf(privateKey) : solanaAddressOf(privateKey);

/** What is encrypted, and with what. */
export type Encrypting = {
  readonly chain: KeyChain;
  readonly privateKey: Uint8Array;
  readonly password: Secret;
  readonly random: Random;
  readonly derive: Derive;
};

/** A key as a file in the format of its chain. Throws `invalid_input` when the bytes are no private key. */
export const encryptKey = ({ chain, ...key }: Encrypting): Promise<string> =>
  chain === 'evm' ? encryptV3(key) : encryptSolana(key);
