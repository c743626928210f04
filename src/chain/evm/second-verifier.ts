import { keccak256 } from 'ethers/crypto';
import type { Transaction } from 'ethers/transaction';
import { Failure } from '../../core/failure.ts';
import { normaliseEvmAddress } from './address.ts';

/** Returns the checksummed address of the signer. Throws for a signature that nobody made. */
export type Recovery = (transaction: Transaction) => string;

/** The marker of an uncompressed public key (SEC 1, section 2.3.3). An address is of the bytes after it. */
const MARKER_BYTES = 1;

/** The characters of a hash before those of its address, with `0x`. */
const BEFORE_ADDRESS = 2 + 24;

/**
 * Loads libsecp256k1 and makes its tables, which takes a process some 30 ms. Call it while the process waits for something
 * else.
 */
export const loadSecondVerifier = async () => {
  const library = await import('tiny-secp256k1');
  library.__initializeContext();
  return library;
};

/**
 * Recovers a signer by libsecp256k1. Signatures are made by another implementation, so one fault cannot be in both. It also
 * takes a tenth of the time.
 */
export const secondVerifier = async (): Promise<Recovery> => {
  const { recover } = await loadSecondVerifier();
  return ({ signature, unsignedHash }) => {
    if (signature === null) throw new Failure('internal', 'there is no signature');
    const { r, s, yParity } = signature;
    const bytes = Buffer.from(`${r.slice(2)}${s.slice(2)}`, 'hex');
    const publicKey = recover(Buffer.from(unsignedHash.slice(2), 'hex'), bytes, yParity, false);
    if (publicKey === null) throw new Failure('internal', 'the signature has no signer');
    return normaliseEvmAddress(`0x${keccak256(publicKey.subarray(MARKER_BYTES)).slice(BEFORE_ADDRESS)}`);
  };
};
