import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { verifyEd25519 } from '../../core/ed25519.ts';
import { Failure } from '../../core/failure.ts';
import { addressBytes } from './address.ts';
import { parseSolana, type UnsignedSolana } from './parse.ts';

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

/** A signed transaction as base64. `hash` is what the chain will know it by, before anything was sent. */
export type SignedSolana = { readonly signed_transaction: string; readonly hash: string; readonly from: string };

/** What a transaction is called once everybody has signed it. Throws `internal` where a signature does not hold. */
export const signedFrom = ({ bytes, message, messageBytes, signatures }: UnsignedSolana): SignedSolana => {
  const signers = message.addresses.slice(0, message.signers);
  const isMissing = (address: string, at: number) =>
    !verifyEd25519(messageBytes, signatures[at] ?? new Uint8Array(), addressBytes(address));
  const missing = signers.find(isMissing);
  if (missing !== undefined) throw new Failure('internal', `the signature of ${missing} does not hold`);
  return {
    signed_transaction: Buffer.from(bytes).toString('base64'),
    hash: bs58.encode(signatures[0] ?? new Uint8Array()),
    from: signers[0] ?? '',
  };
};

/** Reads what was signed elsewhere; `undefined` for what is no whole transaction with all its signatures. */
export const readSigned = (transaction: string): SignedSolana | undefined => {
  try {
    return signedFrom(parseSolana(transaction));
  } catch {
    return undefined;
  }
};
