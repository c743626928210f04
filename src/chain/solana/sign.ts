import { ED25519_KEY_BYTES, ed25519Pair } from '../../core/ed25519.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { assertPasses, type Consent } from '../review/check.ts';
import { addressOf } from './address.ts';
import { parseSolana, type UnsignedSolana } from './parse.ts';
import { digestOfMessage, type SolanaReview } from './review.ts';
import { assertSecondVerifier, type SignedSolana, signedFrom } from './signatures.ts';

declare const approved: unique symbol;

/** A transaction that passed a review. Only `approveSolana` creates one, and only an approved one can be signed. */
export type ApprovedSolana = {
  readonly [approved]: true;
  readonly unsigned: UnsignedSolana;
  readonly digest: string;
};

/** Approves the bytes of a review for a signature. Throws `refused_by_review` like `assertPasses`. */
export const approveSolana = ({ checks, unsigned, digest }: SolanaReview, consent: Consent): ApprovedSolana => {
  if (digestOfMessage(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, consent);
  return Object.freeze({ unsigned, digest }) as ApprovedSolana;
};

const FIRST_SIGNATURE = 1;

/** The same bytes with the fee payer's signature, which is the first. */
const withSignature = ({ bytes, messageBytes, signatures }: UnsignedSolana, signature: Uint8Array): Uint8Array => {
  const signed = Uint8Array.from(bytes);
  const start = bytes.length - messageBytes.length - signatures.length * signature.length;
  if (start !== FIRST_SIGNATURE) throw new Failure('internal', 'the signature is not at its expected place');
  signed.set(signature, start);
  return signed;
};

/**
 * Signs the received bytes of an approved transaction (ed25519: the same signature each time) and keeps its other signatures.
 * `seed` is the private key, 32 bytes. Throws `refused_by_review` for another wallet's key, `invalid_input` for an invalid
 * key, `internal` if the result is not the approved transaction.
 */
export const signSolana = (approved: ApprovedSolana, seed: Uint8Array): SignedSolana => {
  const { unsigned, digest } = approved;
  if (digestOfMessage(unsigned) !== digest) throw new Failure('internal', 'the approval is not of this transaction');
  const payer = unsigned.message.addresses[0] ?? '';
  if (seed.length !== ED25519_KEY_BYTES) {
    throw new Failure('invalid_input', `this is not a Solana private key: it must be ${ED25519_KEY_BYTES} bytes`);
  }
  const pair = ed25519Pair(seed);
  const signer = addressOf(pair.publicKey);
  if (signer !== payer) {
    throw new Failure('refused_by_review', `The key has the address ${signer}; the fee payer is ${payer}.`);
  }
  const signature = pair.sign(unsigned.messageBytes);
  assertSecondVerifier(unsigned.messageBytes, signature, pair.publicKey);
  const signed = withSignature(unsigned, signature);
  // The new signature is read back, so that no fault leaves this file.
  try {
    const read = parseSolana(signed);
    if (digestOfMessage(read) !== digest) throw new Failure('internal', 'the signed bytes are not the reviewed ones');
    return signedFrom(read);
  } catch (error) {
    throw new Failure('internal', `the signed bytes are not the reviewed ones: ${messageOf(error)}`, { cause: error });
  }
};
