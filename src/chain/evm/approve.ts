import { Failure } from '../../core/failure.ts';
import { assertPasses, type Word } from '../pass.ts';
import type { Review } from './review.ts';
import { digestOf, type UnsignedEvm } from './transaction.ts';

declare const approved: unique symbol;

/** A transaction that a review let through. Only `approve` makes one, and nothing else can be signed. */
export type ApprovedTransaction = {
  readonly [approved]: true;
  readonly unsigned: UnsignedEvm;
  readonly digest: string;
};

/** Turns a review into leave to sign its bytes. Throws `refused_by_review` as `assertPasses` does. */
export const approve = (review: Review, word: Word): ApprovedTransaction => {
  const { checks, unsigned, digest } = review;
  if (digestOf(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, word);
  return Object.freeze({ unsigned: Object.freeze({ ...unsigned }), digest }) as ApprovedTransaction;
};
