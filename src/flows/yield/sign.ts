import { approveSolana } from '../../chain/solana/approve.ts';
import { type Asked, allowProgram, allowRecipient } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import { type SignedSolana, signSolana } from '../../chain/solana/sign.ts';
import { Failure } from '../../core/failure.ts';
import { factsFrom } from '../solana/facts.ts';
import type { OpenSeed, Reviewing } from './context.ts';

/** A transaction as the service gave it, and what it must do where that is known. */
export type ToSign = { readonly transaction: string; readonly asked: Asked | undefined };

/** A review and what was signed on the strength of it. */
export type Reviewed = { readonly review: SolanaReview; readonly signed: SignedSolana };

const reviewOne = async (reviewing: Reviewing, { transaction, asked }: ToSign, signer: string, isLater: boolean) => {
  const { network, overrides, node, on } = reviewing;
  const unsigned = parseSolana(transaction);
  const facts = node && (await factsFrom(node, unsigned, network.kind, { isLater }));
  const review = reviewSolana({ unsigned, network, asked, signer, overrides, facts });
  await on({ kind: 'reviewed', review });
  return review;
};

/**
 * Reviews all transactions of an operation, shows them, asks once, and signs them. Nothing is signed before every
 * one has passed. `beforeSigning` gets the reviews, for a record of them. Throws `refused_by_review`.
 */
export const reviewAndSign = async (
  reviewing: Reviewing,
  all: readonly ToSign[],
  key: OpenSeed,
  beforeSigning: (reviews: readonly SolanaReview[]) => Promise<void> = async () => undefined,
): Promise<readonly Reviewed[]> => {
  const reviews: SolanaReview[] = [];
  for (const [at, each] of all.entries()) reviews.push(await reviewOne(reviewing, each, key.address, at > 0));
  const isRefused = reviews.some(({ verdict }) => verdict === 'refused');
  if (!isRefused && !(await reviewing.approve(reviews))) {
    throw new Failure('refused_by_review', 'not approved; nothing was signed or sent');
  }
  const approved = reviews.map((review) => approveSolana(review, 'user_said_yes'));
  await beforeSigning(reviews);
  const signed = approved.map((each) => signSolana(each, key.privateKey));
  for (const { hash } of signed) await reviewing.on({ kind: 'signed', hash });
  return signed.map((each, at) => ({ review: reviews[at] as SolanaReview, signed: each }));
};

/** Which options of the user a review was given, for the record of it. */
export const allowedBy = ({ overrides }: Reviewing): readonly string[] => [
  ...(overrides.allowPrograms ?? []).map(allowProgram),
  ...(overrides.allowRecipients ?? []).map(allowRecipient),
];
