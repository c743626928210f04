import type { Check } from '../../chain/review/check.ts';
import type { NodeFacts } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { reviewIn } from '../../journal/doubt.ts';
import type { MovedAmount, ReviewEvent } from '../../journal/event.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { withPolicyChecks } from '../operation/resume.ts';
import { recordReviews } from '../policy/gate.ts';
import {
  isAboutPolicy,
  isPolicyDoubt,
  keepingRefusal,
  readKeyPolicy,
  refusedByPolicy,
  sendingNothing,
} from '../policy/key-policy.ts';
import { factsFrom } from '../solana/facts.ts';
import type { MovingContext, YieldReviewContext } from './context.ts';
import { passReviews, type RecordingContext, recordPassed, signingOf, type ToReview } from './sign.ts';

/** A local key among the signers; the review covers only the fee payer's money. */
const ownCosigner = async (io: Io, transaction: string): Promise<string | undefined> => {
  const { addresses, signers } = parseSolana(transaction).message;
  const others = addresses.slice(1, signers);
  if (others.length === 0) return undefined;
  const keys = await openKeystore(io).list();
  for (const address of others) {
    const isOwn = keys.some((key) => key.status === 'usable' && key.address === address);
    if (isOwn || (await readKeyPolicy(io, { chain: 'solana', address })) !== undefined) return address;
  }
  return undefined;
};

/**
 * Reviews and records externally signed bytes like our own, under the policy of a key of that address. Throws
 * `refused_by_review`.
 */
export const reviewSigned = async (
  reviewing: RecordingContext,
  io: Io,
  all: readonly (ToReview & { readonly signed: SignedSolana })[],
): Promise<void> => {
  const address = all[0]?.signed.from ?? '';
  const cosigners = await Promise.all(all.map(({ transaction }) => ownCosigner(io, transaction)));
  const key = cosigners.find((each) => each !== undefined);
  await sendingNothing(() =>
    keepingRefusal(reviewing.operation, undefined, async () => {
      const { reviews } = await passReviews(reviewing, all, { address, key, isSigned: true });
      await recordPassed(reviewing, reviews, address);
    }),
  );
};

/** Records earlier reviews again: their outflows count from now. */
export const recordAgain = (reviewing: RecordingContext, all: readonly ReviewEvent[], address: string): Promise<void> =>
  sendingNothing(() =>
    keepingRefusal(reviewing.operation, undefined, () => recordReviews(reviewing, signingOf(reviewing, address), all)),
  );

/** Bytes reviewed before, and their outflows; empty for reviews of version 0.1. */
type ReviewedBytes = ToReview & { readonly moves: readonly MovedAmount[] | undefined };

/**
 * Reviews earlier reviewed bytes under the current policies. Amounts come from the bytes and the earlier review. A
 * node is asked only if a policy needs more than the bytes show, because they may have landed.
 */
const reviewedAgain = async (reviewing: YieldReviewContext, bytes: ReviewedBytes): Promise<SolanaReview> => {
  const { transaction, asked, wallet, moves } = bytes;
  const { network, overrides, witness, gate } = reviewing;
  const unsigned = parseSolana(transaction);
  const signing = signingOf(reviewing, unsigned.message.addresses[0] ?? '');
  const policy = await gate?.inForce(signing, { digest: digestOfMessage(unsigned) });
  const reviewWith = (facts: NodeFacts | undefined) =>
    reviewSolana({ unsigned, network, requested: asked, wallet, overrides, facts, policy, recorded: moves });
  const byBytes = reviewWith(witness && (await factsFrom(witness, unsigned, network.kind, { isLater: true })));
  const isRefused = byBytes.checks.some((check) => check.verdict === 'refuse' && isAboutPolicy(check));
  if (witness === undefined || !isRefused) return byBytes;
  const facts = await factsFrom(witness, unsigned, network.kind, { isSigned: true });
  if (facts.simulation === undefined || facts.simulation.error !== undefined) return byBytes;
  return { ...byBytes, checks: withPolicyChecks(byBytes.checks, reviewWith(facts).checks) };
};

/**
 * Compares earlier reviewed bytes with the user's new statement. Unstated facts need no new statement. Contradictions
 * and refusals by newer policies still count. Returns the reviews that need a confirmation by such a policy. Throws
 * `refused_by_review`.
 */
export const assertAsStated = async (reviewing: YieldReviewContext, all: readonly ReviewedBytes[]) => {
  const doubts: SolanaReview[] = [];
  for (const each of all) {
    const review = await reviewedAgain(reviewing, each);
    const wrong = review.checks.filter(({ verdict }) => verdict === 'refuse');
    if (wrong.length > 0)
      throw refusedByPolicy(wrong, 'This machine has reviewed these bytes before, and nothing was sent now.');
    const checks = review.checks.filter(isPolicyDoubt);
    if (checks.length > 0) doubts.push({ ...review, verdict: 'confirm', checks });
  }
  return doubts;
};

/** Reviews approved unsent bytes under the policies of now, which may be newer than their first review. */
export const laterReview = async (reviewing: MovingContext, each: ToReview) => {
  const { client, operation } = reviewing;
  const digest = digestOfMessage(parseSolana(each.transaction));
  const moves = (await reviewIn(client.io, operation.id, digest))?.moves;
  const review = await reviewedAgain(reviewing, { ...each, moves });
  return {
    checks: review.checks,
    withNode: nextStep('yield.resume.live', operation.id),
    approve: (checks: readonly Check[]) => reviewing.approve([{ ...review, verdict: 'confirm', checks }]),
  };
};
