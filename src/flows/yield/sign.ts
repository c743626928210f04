import { needsOverrideOption, type UnstatedFact } from '../../chain/review/check.ts';
import { fundingOf } from '../../chain/review/check-limits.ts';
import type { RequestedOperation } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import { approveSolana, signSolana } from '../../chain/solana/sign.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { SOLANA } from '../../contract/chains.ts';
import type { Operation } from '../../journal/operation.ts';
import { type GateQuery, recordReviews, reviewRecord, type SigningOf } from '../policy/gate.ts';
import { keepingRefusal, namingFunds, notSent, notSigned } from '../policy/key-policy.ts';
import { factsFrom } from '../solana/facts.ts';
import type { SigningKey } from '../turn.ts';
import type { YieldReviewContext } from './context.ts';

/** A transaction from the service or signed externally, and its expected effect if known. */
export type ToReview = {
  readonly transaction: string;
  readonly asked: RequestedOperation | undefined;
  /** Facts that only the transaction itself states. */
  readonly unstated?: readonly UnstatedFact[] | undefined;
  /** The stated wallet, if `asked` is incomplete. */
  readonly wallet?: string | undefined;
};

/** A review and the resulting signature. */
export type SignedReview = { readonly review: SolanaReview; readonly signed: SignedSolana };

/** The signer of a review: a key of this command, or an external one. */
type Signer = {
  readonly address: string;
  /** The local key that signs or has signed. */
  readonly key: string | undefined;
  readonly isSigned: boolean;
};

/** The signer, and whether the signature is for the sandbox's chain. */
export const signingOf = ({ network }: YieldReviewContext, address: string): GateQuery => ({
  chain: 'solana',
  address,
  kind: network.kind,
});

const reviewOne = async (
  reviewing: YieldReviewContext,
  { transaction, asked, unstated, wallet }: ToReview,
  { address, key: signer, isSigned }: Signer,
  isLater: boolean,
) => {
  const { network, overrides, witness, nameOf, on } = reviewing;
  const unsigned = parseSolana(transaction);
  const { blockhash } = unsigned.message;
  const [facts, payerName] = await Promise.all([
    witness && factsFrom(witness, unsigned, network.kind, { isLater, isSigned }),
    nameOf?.(address),
  ]);
  // A blockhash identifies the chain of a new signature; an existing signature keeps its chain.
  const signing = { ...signingOf(reviewing, address), ...(isSigned ? {} : { blockhash }) };
  const policy = await reviewing.gate?.inForce(signing, { digest: digestOfMessage(unsigned) });
  const left = policy?.hasMandate ? [] : unstated;
  const review = reviewSolana({
    unsigned,
    network,
    requested: asked,
    signer,
    wallet,
    overrides,
    facts,
    payerName,
    unstated: left,
    policy,
  });
  await on({ kind: 'reviewed', review });
  return review;
};

/** Reviews all transactions of an operation, shows them, and asks once. Throws `refused_by_review` unless all pass. */
export const passReviews = async (reviewing: YieldReviewContext, all: readonly ToReview[], signer: Signer) => {
  const reviews: SolanaReview[] = [];
  for (const [at, each] of all.entries()) reviews.push(await reviewOne(reviewing, each, signer, at > 0));
  // No question if a yes would not be enough.
  const canPass = reviews.every(({ verdict, checks }) => verdict !== 'refuse' && !checks.some(needsOverrideOption));
  if (canPass && !(await reviewing.approve(reviews))) throw signer.isSigned ? notSent() : notSigned();
  const checks = reviews.flatMap((review) => review.checks);
  const { address } = signer;
  const name = (await reviewing.nameOf?.(address)) ?? address;
  const funding = fundingOf(checks, reviewing.network.kind, name, address);
  const approved = namingFunds(funding, () => reviews.map((review) => approveSolana(review, 'confirmed')));
  return { reviews, approved };
};

/**
 * Reviews, asks and signs. All transactions must pass before the first signature. `beforeSigning` receives the reviews
 * for recording. Throws `refused_by_review`.
 */
const reviewAndSign = async (
  reviewing: YieldReviewContext,
  all: readonly ToReview[],
  key: SigningKey,
  beforeSigning: (reviews: readonly SolanaReview[]) => Promise<void> = async () => undefined,
): Promise<readonly SignedReview[]> => {
  const signer: Signer = { address: key.address, key: key.address, isSigned: false };
  const { reviews, approved } = await passReviews(reviewing, all, signer);
  await beforeSigning(reviews);
  const privateKey = await key.open();
  const signed = approved.map((each) => signSolana(each, privateKey));
  for (const { hash } of signed) await reviewing.on({ kind: 'signed', hash });
  return signed.map((each, at) => ({ review: reviews[at] as SolanaReview, signed: each }));
};

/** The limits for a review, with the operation that records it. */
export type RecordingContext = YieldReviewContext & { readonly operation: Operation };

/** Records the reviews of transactions of one wallet. Throws as `recordReviews`. */
export const recordPassed = (
  recording: RecordingContext,
  reviews: readonly SolanaReview[],
  address: string,
): Promise<void> => {
  const records = reviews.map((review) => reviewRecord(review, recording.overrides));
  return recordReviews(recording, signingOf(recording, address), records);
};

/**
 * Reviews, asks and signs. Each review is recorded before its signature, and each signature after. Signed transactions
 * count against daily limits even if they are not sent.
 */
export const reviewAndSignRecorded = async (
  reviewing: RecordingContext,
  all: readonly ToReview[],
  key: SigningKey,
  firstPart = 1,
): Promise<readonly SignedReview[]> => {
  const { operation } = reviewing;
  const before = (reviews: readonly SolanaReview[]) => recordPassed(reviewing, reviews, key.address);
  const reviewed = await keepingRefusal(operation, undefined, () => reviewAndSign(reviewing, all, key, before));
  for (const [at, { signed }] of reviewed.entries()) {
    await operation.record({ step: 'signed', part: at + firstPart, ...signed });
  }
  return reviewed;
};

/** For signatures without sending. They are recorded with the user's statement `of` them, if there is a journal. */
export const signAlone = async (
  reviewing: YieldReviewContext,
  all: readonly ToReview[],
  key: SigningKey,
  of: SigningOf,
): Promise<readonly SignedReview[]> => {
  const { gate } = reviewing;
  if (gate === undefined) return reviewAndSign(reviewing, all, key);
  const intent = { operation: 'sign', chain: SOLANA, wallet: key.address } as const;
  const work = (operation: Operation | undefined) =>
    operation === undefined
      ? reviewAndSign(reviewing, all, key)
      : reviewAndSignRecorded({ ...reviewing, operation }, all, key);
  return gate.withSigning(signingOf(reviewing, key.address), intent, work, of);
};
