import { Failure, messageOf } from '../../core/failure.ts';
import { assertPasses, type Consent } from '../review/check.ts';
import { evmAddressOf, signingKeyOf } from './address.ts';
import type { Review } from './review.ts';
import { buildTransaction, digestOf, readSigned, type UnsignedEvm } from './transaction.ts';

declare const approved: unique symbol;

/** A transaction that passed a review. Only `approve` creates one, and only an approved transaction can be signed. */
export type ApprovedTransaction = {
  readonly [approved]: true;
  readonly unsigned: UnsignedEvm;
  readonly digest: string;
};

/** Approves the bytes of a review for a signature. Throws `refused_by_review` like `assertPasses`. */
export const approve = (review: Review, consent: Consent): ApprovedTransaction => {
  const { checks, unsigned, digest } = review;
  if (digestOf(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, consent);
  return Object.freeze({ unsigned: Object.freeze({ ...unsigned }), digest }) as ApprovedTransaction;
};

/** A signed transaction. `hash` identifies it on the chain, already before it is sent. */
export type SignedEvm = { readonly signed_transaction: string; readonly hash: string; readonly from: string };

/** Reads the new signature back, so that no fault of a library leaves this file. */
const readBack = (raw: string, { unsigned }: ApprovedTransaction, hash: string | null): SignedEvm => {
  try {
    const { signed_transaction, from, hash: own } = readSigned(raw, unsigned);
    if (own !== hash) throw new Failure('internal', 'the hash differs');
    return { signed_transaction, hash: own, from };
  } catch (error) {
    throw new Failure('internal', `the signed bytes are not the reviewed ones: ${messageOf(error)}`, { cause: error });
  }
};

/**
 * Signs an approved transaction (EIP-1559, RFC 6979: the same bytes each time).
 * Throws `refused_by_review` for the key of another wallet, `invalid_input` for an invalid key, `internal` if the result is
 * not the approved transaction.
 */
export const signEvm = (approved: ApprovedTransaction, privateKey: Uint8Array): SignedEvm => {
  const { unsigned, digest } = approved;
  const transaction = buildTransaction(unsigned);
  if (transaction.unsignedHash !== digest) {
    throw new Failure('internal', 'the approval is not of this transaction');
  }
  const signer = evmAddressOf(privateKey);
  if (signer !== unsigned.from) {
    throw new Failure('refused_by_review', `The key has the address ${signer}; the payer is ${unsigned.from}.`);
  }
  transaction.signature = signingKeyOf(privateKey).sign(digest);
  return readBack(transaction.serialized, approved, transaction.hash);
};
