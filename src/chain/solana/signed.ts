import bs58 from 'bs58';
import { verifyEd25519 } from '../../core/ed25519.ts';
import { Failure } from '../../core/failure.ts';
import { addressBytes } from './address.ts';
import type { UnsignedSolana } from './message.ts';
import { parseSolana } from './parse.ts';

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
