import type { Check } from '../../chain/review/check.ts';
import type { NodeFacts } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { Moved, ReviewEvent } from '../../journal/event.ts';
import { readOperation } from '../../journal/read.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { readKeyPolicy } from '../policy/key-policy.ts';
import {
  isOfPolicy,
  isPolicyDoubt,
  keepingRefusal,
  notSent,
  refusedByPolicy,
  sendingNothing,
} from '../policy/refusal.ts';
import { factsFrom } from '../solana/facts.ts';
import type { MovingContext, Reviewing } from './context.ts';
import { entriesOf, passReviews, type Recording, recordReviews, signingOf, type ToReview } from './sign.ts';

/** A key of this machine among those that have signed beside the fee payer: a review is of the fee payer's money alone. */
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
 * Bytes that were signed elsewhere pass the same review as ours, under the policy of a key of that address, and are
 * recorded alike. Throws `refused_by_review`.
 */
export const reviewSigned = async (
  reviewing: Recording,
  io: Io,
  all: readonly (ToReview & { readonly signed: SignedSolana })[],
): Promise<void> => {
  const address = all[0]?.signed.from ?? '';
  const cosigners = await Promise.all(all.map(({ transaction }) => ownCosigner(io, transaction)));
  const key = cosigners.find((each) => each !== undefined);
  await sendingNothing(() =>
    keepingRefusal(reviewing.operation, undefined, async () => {
      const { reviews } = await passReviews(reviewing, all, { address, key, isSigned: true });
      await recordReviews(reviewing, entriesOf(reviewing, reviews), address);
    }),
  );
};

/** Records reviews of before again: what left by these bytes then leaves by them now. */
export const recordAgain = (reviewing: Recording, all: readonly ReviewEvent[], address: string): Promise<void> =>
  sendingNothing(() => keepingRefusal(reviewing.operation, undefined, () => recordReviews(reviewing, all, address)));

/** A policy that cannot tell what leaves, or who gets it. A node can show it. */
const isAboutOpen = ({ id, verdict }: Check): boolean => verdict === 'refuse' && id === 'policy';

const isAboutPolicy = ({ id }: Check): boolean => id === 'world' || id === 'policy' || id.startsWith('policy.');

/** Bytes that were reviewed before, and what left by them then; nothing of a review of version 0.1. */
type ReviewedBytes = ToReview & { readonly moves: readonly Moved[] | undefined };

/**
 * Reviews bytes that were reviewed before, under the policies as they are now. Amounts are those of the bytes and of the
 * earlier review. What a node would say of them now counts only where a policy refuses what the bytes do not show: they
 * may have landed.
 */
const reviewedAgain = async (
  reviewing: Reviewing,
  { transaction, asked, wallet, moves }: ReviewedBytes,
): Promise<SolanaReview> => {
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
  const seen = reviewWith(facts).checks.filter(isAboutPolicy);
  return { ...byBytes, checks: [...byBytes.checks.filter((check) => !isAboutPolicy(check)), ...seen] };
};

/** The review by what a policy lets pass only by a yes at a terminal; `undefined` where it asks nothing. */
const doubtIn = (review: SolanaReview): SolanaReview | undefined => {
  const checks = review.checks.filter(isPolicyDoubt);
  return checks.length === 0 ? undefined : { ...review, verdict: 'confirm', checks };
};

/**
 * Compares bytes that were reviewed before with what the user states now: what is left unstated needs no statement again,
 * and a contradiction stays one, so does what a policy refuses that may be younger than the review. Returns the reviews
 * that need the user's yes by such a policy. Throws `refused_by_review`.
 */
export const assertAsStated = async (
  reviewing: Reviewing,
  all: readonly ReviewedBytes[],
): Promise<readonly SolanaReview[]> => {
  const doubts: SolanaReview[] = [];
  for (const each of all) {
    const review = await reviewedAgain(reviewing, each);
    const wrong = review.checks.filter(({ verdict }) => verdict === 'refuse');
    if (wrong.length > 0)
      throw refusedByPolicy(wrong, 'This machine has reviewed these bytes before, and nothing was sent now.');
    doubts.push(...[doubtIn(review) ?? []].flat());
  }
  return doubts;
};

/** What an operation recorded of the review of bytes. */
const movesIn = async (io: Io, operationId: string, transaction: string): Promise<readonly Moved[] | undefined> => {
  const digest = digestOfMessage(parseSolana(transaction));
  const events = (await readOperation(io, operationId))?.events ?? [];
  return events.find((event): event is ReviewEvent => event.step === 'reviewed' && event.digest === digest)?.moves;
};

/** Where only a node is missing, a resume with one can send the bytes. */
const leftForNode = ({ code, sentence, details }: Failure, operationId: string): Failure =>
  new Failure(code, sentence, { ...details, isLeftOpen: true, next: nextStep('yield.resume.live', operationId) });

const allowedReview = (reviewing: MovingContext, each: ToReview): Promise<SolanaReview> =>
  keepingRefusal(reviewing.operation, undefined, async () => {
    const { client, operation } = reviewing;
    const moves = await movesIn(client.io, operation.id, each.transaction);
    const review = await reviewedAgain(reviewing, { ...each, moves });
    const wrong = review.checks.filter((check) => isOfPolicy(check) || isAboutOpen(check));
    if (wrong.length === 0) return review;
    const refusal = refusedByPolicy(wrong, 'The signed transaction was not sent.');
    throw wrong.every(isAboutOpen) ? leftForNode(refusal, operation.id) : refusal;
  });

/**
 * Checks bytes that were approved and never sent against the policies as they are now: a policy may be younger than their
 * review. What it lets pass only by a yes at a terminal is asked; without a terminal the bytes stay as they are. Throws
 * `refused_by_review`.
 */
export const assertStillAllowed = async (reviewing: MovingContext, each: ToReview): Promise<void> => {
  if (reviewing.gate === undefined) return;
  const doubt = doubtIn(await allowedReview(reviewing, each));
  if (doubt !== undefined && !(await reviewing.approve([doubt]))) throw notSent();
};
