import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { Failure } from '../../core/failure.ts';
import { isOnCurve } from './curve.ts';

/** Bytes of an address: a public key of ed25519, or a point off its curve. */
export const ADDRESS_BYTES = 32;

/** The base58 text of 32 bytes. */
export const addressOf = (bytes: Uint8Array): string => bs58.encode(bytes);

/** The 32 bytes of an address. Throws `invalid_input` for anything else. */
export const addressBytes = (address: string): Uint8Array => {
  const bytes = address.length <= 44 ? bs58.decodeUnsafe(address) : undefined;
  if (bytes?.length === ADDRESS_BYTES) return bytes;
  throw new Failure('invalid_input', 'must be a Solana address: 32 bytes in base58');
};

const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const SUFFIX = Buffer.from('ProgramDerivedAddress');

/**
 * The address that a program derives from other addresses (Solana: program derived address), and its bump: the first, from
 * 255 down, that no private key can have.
 */
export const derivedAddress = (
  seeds: readonly string[],
  program: string,
): { readonly address: string; readonly bump: number } => {
  const [before, after] = [seeds.map(addressBytes), [addressBytes(program), SUFFIX]];
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const part of [...before, Uint8Array.of(bump), ...after]) hash.update(part);
    const candidate = hash.digest();
    if (!isOnCurve(candidate)) return { address: addressOf(candidate), bump };
  }
  throw new Failure('invalid_input', 'has no account that is derived from it');
};

/**
 * The account in which an owner keeps tokens of a mint (SPL: the associated token account). `program` is the token
 * program of the mint.
 */
export const tokenAccountOf = (owner: string, mint: string, program: string): string =>
  derivedAddress([owner, program, mint], ASSOCIATED_TOKEN).address;
