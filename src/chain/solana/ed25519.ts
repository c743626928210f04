import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import { addressBytes, addressOf } from './address.ts';

/** Before the 32 bytes of a key in its DER form (RFC 8410, section 4 and section 7). */
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

const publicKeyOf = (address: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, addressBytes(address)]), format: 'der', type: 'spki' });

/** Whether a signature of 64 bytes is that address's of those bytes. */
export const isSignedBy = (address: string, bytes: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify(null, bytes, publicKeyOf(address), signature);
  } catch {
    return false;
  }
};

/** A key that signs, with its address, which is derived and never believed. */
export type Signer = { readonly address: string; readonly sign: (bytes: Uint8Array) => Uint8Array };

/** The signer of a seed of 32 bytes (RFC 8032). Throws `invalid_input` for another length; no message repeats it. */
export const signerOf = (seed: Uint8Array): Signer => {
  if (seed.length !== 32) throw new Failure('invalid_input', 'this is not a Solana private key: it must be 32 bytes');
  const der = Buffer.concat([PRIVATE_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: addressOf(spki.subarray(PUBLIC_PREFIX.length)),
    sign: (bytes) => sign(null, bytes, key),
  };
};
