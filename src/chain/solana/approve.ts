import { Failure } from '../../core/failure.ts';
import { assertPasses, type Word } from '../pass.ts';
import type { UnsignedSolana } from './message.ts';
import { digestOfMessage, type SolanaReview } from './review.ts';

declare const approved: unique symbol;

/** A transaction that a review let through. Only `approveSolana` makes one, and nothing else can be signed. */
export type ApprovedSolana = {
  readonly [approved]: true;
  readonly unsigned: UnsignedSolana;
  readonly digest: string;
};

/** Turns a review into leave to sign its bytes. Throws `refused_by_review` as `assertPasses` does. */
export const approveSolana = ({ checks, unsigned, digest }: SolanaReview, word: Word): ApprovedSolana => {
  if (digestOfMessage(unsigned) !== digest) throw new Failure('internal', 'the review is not of this transaction');
  assertPasses(checks, word);
  return Object.freeze({ unsigned, digest }) as ApprovedSolana;
};
