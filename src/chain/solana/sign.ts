import { ED25519_KEY_BYTES, ed25519Pair } from '../../core/ed25519.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { assertPasses, type Consent } from '../review/approval.ts';
import { addressOf } from './address.ts';
import { parseSolana, type UnsignedSolana } from './parse.ts';
import { digestOfMessage, type SolanaReview } from './review.ts';
import { assertSecondVerifier, type SignedSolana, signedFrom } from './signatures.ts';

declare const approved: unique symbol;

/** A transaction that a review let through. Only `approveSolana` makes one, and nothing else can be signed. */
export type ApprovedSolana = {
  readonly [approved]: true;
  readonly unsigned: UnsignedSolana;
  readonly digest: string;
};

/** Turns a review into leave to sign its bytes. Throws `refused_by_review` as `assertPasses` does. */
export const approveSolana = ({ checks, unsigned, digest }: SolanaReview, word: Consent): ApprovedSolana => {
  if (digestOfMessage(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, word);
  return Object.freeze({ unsigned, digest }) as ApprovedSolana;
};

const FIRST_SIGNATURE = 1;

/** The same bytes with one signature in its place: the first is the fee payer's. */
const withSignature = ({ bytes, messageBytes, signatures }: UnsignedSolana, signature: Uint8Array): Uint8Array => {
  const signed = Uint8Array.from(bytes);
  const start = bytes.length - messageBytes.length - signatures.length * signature.length;
  if (start !== FIRST_SIGNATURE) throw new Failure('internal', 'the place of the signature is not where it must be');
  signed.set(signature, start);
  return signed;
};

/** Reads back what was just signed: a fault must never leave this file as a signature. */
const readBack = (bytes: Uint8Array, { digest }: ApprovedSolana): SignedSolana => {
  const read = parseSolana(bytes);
  if (digestOfMessage(read) !== digest) throw new Failure('internal', 'the signed bytes are not the reviewed ones');
  return signedFrom(read);
};

/**
 * Signs the received bytes of an approved transaction (ed25519: the same signature each time) and keeps the
 * signatures that are there. `seed` is the private key, 32 bytes. Throws `refused_by_review` when the key is not the
 * fee payer's, `invalid_input` when it is no key, `internal` when what comes out is not what was approved.
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
    throw new Failure('refused_by_review', `The key is that of ${signer}; the fee payer is ${payer}.`);
  }
  const signature = pair.sign(unsigned.messageBytes);
  assertSecondVerifier(unsigned.messageBytes, signature, pair.publicKey);
  const signed = withSignature(unsigned, signature);
  try {
    return readBack(signed, approved);
  } catch (error) {
    throw new Failure('internal', `the signed bytes are not the reviewed ones: ${messageOf(error)}`, { cause: error });
  }
};
