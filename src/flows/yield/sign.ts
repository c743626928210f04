import { needsOverrideOption } from '../../chain/review/approval.ts';
import { allowProgram, allowRecipient, feeAtMost } from '../../chain/review/check.ts';
import { fundingCommand } from '../../chain/review/funds.ts';
import type { UnstatedFact } from '../../chain/review/stated-facts.ts';
import type { RequestedOperation } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import { approveSolana } from '../../chain/solana/sign.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { SOLANA } from '../../contract/solana.ts';
import type { ReviewEvent } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';
import type { Signing } from '../policy/gate.ts';
import { keepingRefusal, namingFunds, notSent, notSigned } from '../policy/refusal.ts';
import { factsFrom } from '../solana/facts.ts';
import type { Reviewing, UnlockedSeed } from './context.ts';

/** A transaction as the service gave it, or as it was signed elsewhere, and what it must do where that is known. */
export type ToReview = {
  readonly transaction: string;
  readonly asked: RequestedOperation | undefined;
  /** Facts that nobody but the transaction itself states. */
  readonly unstated?: readonly UnstatedFact[] | undefined;
  /** The wallet that the user states, where not all of `asked` is stated. */
  readonly wallet?: string | undefined;
};

/** A review and what was signed on the strength of it. */
export type Reviewed = { readonly review: SolanaReview; readonly signed: SignedSolana };

/** Whose signature a review is about: that of a key of this command, or one that was made elsewhere. */
type Signer = {
  readonly address: string;
  /** The key of this machine that signs, or has signed. */
  readonly key: string | undefined;
  readonly isSigned: boolean;
};

/** Whose signature it is, and whether it is for the chain of the sandbox. */
export const signingOf = ({ network }: Reviewing, address: string): Signing => ({
  chain: 'solana',
  address,
  kind: network.kind,
});

const reviewOne = async (
  reviewing: Reviewing,
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
  // A blockhash says for which chain a signature would be; one that is made already is for whatever chain it is for.
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

/** Reviews all transactions of an operation, shows them, and asks once. Throws `refused_by_review` unless every one passes. */
export const passReviews = async (reviewing: Reviewing, all: readonly ToReview[], signer: Signer) => {
  const reviews: SolanaReview[] = [];
  for (const [at, each] of all.entries()) reviews.push(await reviewOne(reviewing, each, signer, at > 0));
  // A question whose yes would not do is not asked.
  const canPass = reviews.every(({ verdict, checks }) => verdict !== 'refuse' && !checks.some(needsOverrideOption));
  if (canPass && !(await reviewing.approve(reviews))) throw signer.isSigned ? notSent() : notSigned();
  const checks = reviews.flatMap((review) => review.checks);
  const { address } = signer;
  const next = fundingCommand(checks, reviewing.network.kind, (await reviewing.nameOf?.(address)) ?? address);
  const approved = namingFunds(next, () => reviews.map((review) => approveSolana(review, 'confirmed')));
  return { reviews, approved };
};

/**
 * Reviews, asks and signs. Nothing is signed before every transaction has passed. `beforeSigning` gets the reviews, for a
 * record of them. Throws `refused_by_review`.
 */
const reviewAndSign = async (
  reviewing: Reviewing,
  all: readonly ToReview[],
  key: UnlockedSeed,
  beforeSigning: (reviews: readonly SolanaReview[]) => Promise<void> = async () => undefined,
): Promise<readonly Reviewed[]> => {
  const signer: Signer = { address: key.address, key: key.address, isSigned: false };
  const { reviews, approved } = await passReviews(reviewing, all, signer);
  await beforeSigning(reviews);
  const { signSolana } = await import('../../chain/solana/sign.ts');
  const signed = approved.map((each) => signSolana(each, key.privateKey));
  for (const { hash } of signed) await reviewing.on({ kind: 'signed', hash });
  return signed.map((each, at) => ({ review: reviews[at] as SolanaReview, signed: each }));
};

/** Which options of the user a review was given, for the record of it. */
const allowedBy = ({ overrides }: Reviewing): readonly string[] => [
  ...(overrides.allowPrograms ?? []).map(allowProgram),
  ...(overrides.allowRecipients ?? []).map(allowRecipient),
  ...(overrides.feeAtMost === undefined ? [] : [feeAtMost(overrides.feeAtMost)]),
];

/** What a review is held against, with the operation that its record belongs to. */
export type Recording = Reviewing & { readonly operation: Operation };

/** Writes reviews that passed to the journal, and holds what leaves by them against the limits of the day. */
export const recordReviews = async (
  { operation, gate, ...reviewing }: Recording,
  reviews: readonly Pick<ReviewEvent, 'verdict' | 'digest' | 'allowed' | 'moves'>[],
  address: string,
): Promise<void> => {
  const signing = signingOf(reviewing, address);
  const { address: from, kind } = signing;
  for (const { verdict, digest, allowed, moves } of reviews) {
    await operation.record({ step: 'reviewed', verdict, digest, allowed, moves, from, kind });
  }
  const passed = reviews.map(({ digest, moves }) => ({ digest, outflows: moves }));
  await gate?.assertDay(signing, operation, passed);
};

/** Reviews as the journal has them, with the options of the user that they were given. */
export const entriesOf = (reviewing: Reviewing, reviews: readonly SolanaReview[]) => {
  const allowed = allowedBy(reviewing);
  return reviews.map(({ verdict, digest, outflows: moves }) => ({ verdict, digest, allowed, moves }));
};

/**
 * Reviews, asks and signs: each review is in the journal before its transaction is signed, and each signature after. What
 * an operation signs counts for the limits of the day, also where it is not sent.
 */
export const reviewAndSignRecorded = async (
  reviewing: Recording,
  all: readonly ToReview[],
  key: UnlockedSeed,
  firstPart = 1,
): Promise<readonly Reviewed[]> => {
  const { operation } = reviewing;
  const before = (reviews: readonly SolanaReview[]) =>
    recordReviews(reviewing, entriesOf(reviewing, reviews), key.address);
  const reviewed = await keepingRefusal(operation, undefined, () => reviewAndSign(reviewing, all, key, before));
  for (const [at, { signed }] of reviewed.entries()) {
    await operation.record({ step: 'signed', part: at + firstPart, ...signed });
  }
  return reviewed;
};

/** For what is only signed: recorded under a policy, and not at all without one. */
export const signAlone = async (
  reviewing: Reviewing,
  all: readonly ToReview[],
  key: UnlockedSeed,
): Promise<readonly Reviewed[]> => {
  const { gate } = reviewing;
  if (gate === undefined) return reviewAndSign(reviewing, all, key);
  const intent = { operation: 'sign', chain: SOLANA, wallet: key.address } as const;
  return gate.withSigning(signingOf(reviewing, key.address), intent, (operation) =>
    operation === undefined
      ? reviewAndSign(reviewing, all, key)
      : reviewAndSignRecorded({ ...reviewing, operation }, all, key),
  );
};
