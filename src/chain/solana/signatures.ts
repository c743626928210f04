import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { verifyEd25519 } from '../../core/ed25519.ts';
import { Failure } from '../../core/failure.ts';
import { addressBytes } from './address.ts';
import { parseSolana, type UnsignedSolana } from './parse.ts';

/**
 * Verifies a signature of node:crypto with a second implementation of ed25519 (tweetnacl) before the signature leaves.
 * A faulty signature could reveal the key. Throws `internal` if the two disagree.
 */
export const assertSecondVerifier = (bytes: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void => {
  if (isVerified(bytes, signature, publicKey)) return;
  throw new Failure('internal', 'a second implementation does not verify the signature that was made', {
    hint: 'The signature was discarded; nothing was sent.',
  });
};

/** tweetnacl throws for a key or signature of another size, so sizes are checked first. */
const isVerified = (bytes: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean =>
  signature.length === nacl.sign.signatureLength &&
  publicKey.length === nacl.sign.publicKeyLength &&
  nacl.sign.detached.verify(Uint8Array.from(bytes), signature, publicKey);

/** A signed transaction as base64. `hash` identifies it on the chain, already before it is sent. */
export type SignedSolana = { readonly signed_transaction: string; readonly hash: string; readonly from: string };

/** The signed form of a transaction with all signatures. Throws `internal` for a wrong or missing signature. */
export const signedFrom = ({ bytes, message, messageBytes, signatures }: UnsignedSolana): SignedSolana => {
  const signers = message.addresses.slice(0, message.signers);
  const isMissing = (address: string, at: number) =>
    !verifyEd25519(messageBytes, signatures[at] ?? new Uint8Array(), addressBytes(address));
  const missing = signers.find(isMissing);
  if (missing !== undefined) throw new Failure('internal', `the signature of ${missing} is not valid`);
  return {
    signed_transaction: Buffer.from(bytes).toString('base64'),
    hash: bs58.encode(signatures[0] ?? new Uint8Array()),
    from: signers[0] ?? '',
  };
};

/** Reads a transaction that was signed elsewhere; `undefined` unless all its signatures are valid. */
export const readSigned = (transaction: string): SignedSolana | undefined => {
  try {
    return signedFrom(parseSolana(transaction));
  } catch {
    return undefined;
  }
};
