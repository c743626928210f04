import { Failure, messageOf } from '../../core/failure.ts';
import { assertPasses, type Consent } from '../review/approval.ts';
import { evmAddressOf, signingKeyOf } from './address.ts';
import type { Review } from './review.ts';
import { buildTransaction, digestOf, readSigned, type UnsignedEvm } from './transaction.ts';

declare const approved: unique symbol;

/** A transaction that a review let through. Only `approve` makes one, and nothing else can be signed. */
export type ApprovedTransaction = {
  readonly [approved]: true;
  readonly unsigned: UnsignedEvm;
  readonly digest: string;
};

/** Turns a review into leave to sign its bytes. Throws `refused_by_review` as `assertPasses` does. */
export const approve = (review: Review, consent: Consent): ApprovedTransaction => {
  const { checks, unsigned, digest } = review;
  if (digestOf(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, consent);
  return Object.freeze({ unsigned: Object.freeze({ ...unsigned }), digest }) as ApprovedTransaction;
};

/** A signed transaction. `hash` is what the chain will know it by, before anything was sent. */
export type SignedEvm = { readonly signed_transaction: string; readonly hash: string; readonly from: string };

/** Reads back what was just signed: a library's fault must never leave this file as a signature. */
const readBack = (raw: string, { unsigned }: ApprovedTransaction, hash: string | null): SignedEvm => {
  try {
    const { signed_transaction, from, hash: own } = readSigned(raw, unsigned);
    if (own !== hash) throw new Failure('internal', 'its hash differs');
    return { signed_transaction, hash: own, from };
  } catch (error) {
    throw new Failure('internal', `the signed bytes are not the reviewed ones: ${messageOf(error)}`, { cause: error });
  }
};

/**
 * Signs an approved transaction (EIP-1559, RFC 6979: the same bytes each time).
 * Throws `refused_by_review` when the key is not the payer's, `invalid_input` when it is no key, `internal` when
 * what comes out is not what was approved.
 */
export const signEvm = (approved: ApprovedTransaction, privateKey: Uint8Array): SignedEvm => {
  const { unsigned, digest } = approved;
  const transaction = buildTransaction(unsigned);
  if (transaction.unsignedHash !== digest) {
    throw new Failure('internal', 'the approval is not of this transaction');
  }
  const signer = evmAddressOf(privateKey);
  if (signer !== unsigned.from) {
    throw new Failure('refused_by_review', `The key is that of ${signer}; the payer is ${unsigned.from}.`);
  }
  transaction.signature = signingKeyOf(privateKey).sign(digest);
  return readBack(transaction.serialized, approved, transaction.hash);
};
