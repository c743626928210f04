import nacl from 'tweetnacl';
import { Failure } from '../../core/failure.ts';

/**
 * A second implementation of ed25519 (tweetnacl) must find a signature right that node:crypto made, before the
 * signature leaves: one that does not hold can tell something of the key. Throws `internal` where it does not agree.
 */
export const assertSecondVerifier = (bytes: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void => {
  if (isVerified(bytes, signature, publicKey)) return;
  throw new Failure('internal', 'a second implementation does not verify the signature that was made', {
    hint: 'The signature was thrown away; nothing was sent.',
  });
};

/** tweetnacl throws on a key or a signature of another size. */
const isVerified = (bytes: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean =>
  signature.length === nacl.sign.signatureLength &&
  publicKey.length === nacl.sign.publicKeyLength &&
  nacl.sign.detached.verify(Uint8Array.from(bytes), signature, publicKey);
