import { allowProgram, allowRecipient, feeAtMost } from '../../chain/allow.ts';
import { fundingCommand } from '../../chain/funds.ts';
import { needsOverrideOption } from '../../chain/pass.ts';
import { approveSolana } from '../../chain/solana/approve.ts';
import type { Asked } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signed.ts';
import type { Unstated } from '../../chain/stated.ts';
import type { Check } from '../../chain/verdict.ts';
import { SOLANA } from '../../contract/solana.ts';
import type { Io } from '../../io/io.ts';
import type { Operation } from '../../journal/operation.ts';
import type { ReviewEntry } from '../../journal/reviewed-bytes.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { Signing } from '../policy/gate.ts';
import { readKeyPolicy } from '../policy/key-policy.ts';
import {
  isOfPolicy,
  keepingRefusal,
  namingFunds,
  notSent,
  notSigned,
  refusedByPolicy,
  sendingNothing,
} from '../policy/refusal.ts';
import { factsFrom } from '../solana/facts.ts';
import type { Reviewing, UnlockedSeed } from './context.ts';

/** A transaction as the service gave it, or as it was signed elsewhere, and what it must do where that is known. */
export type ToReview = {
  readonly transaction: string;
  readonly asked: Asked | undefined;
  /** Facts that nobody but the transaction itself states. */
  readonly unstated?: readonly Unstated[] | undefined;
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
const signingOf = ({ network }: Reviewing, address: string): Signing => ({
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
    asked,
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
const passReviews = async (reviewing: Reviewing, all: readonly ToReview[], signer: Signer) => {
  const reviews: SolanaReview[] = [];
  for (const [at, each] of all.entries()) reviews.push(await reviewOne(reviewing, each, signer, at > 0));
  // A question whose yes would not do is not asked.
  const canPass = reviews.every(({ verdict, checks }) => verdict !== 'refuse' && !checks.some(needsOverrideOption));
  if (canPass && !(await reviewing.approve(reviews))) throw signer.isSigned ? notSent() : notSigned();
  const checks = reviews.flatMap((review) => review.checks);
  const { address } = signer;
  const next = fundingCommand(checks, reviewing.network.kind, (await reviewing.nameOf?.(address)) ?? address);
  const approved = namingFunds(next, () => reviews.map((review) => approveSolana(review, 'user_said_yes')));
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

type Recording = Reviewing & { readonly operation: Operation };

/** Writes reviews that passed to the journal, and holds them against the limits of the day. */
const recordReviews = async (
  reviewing: Recording,
  reviews: readonly SolanaReview[],
  address: string,
): Promise<void> => {
  const { operation } = reviewing;
  const allowed = allowedBy(reviewing);
  const signing = signingOf(reviewing, address);
  const { address: from, kind } = signing;
  for (const { verdict, digest, leaves: moves } of reviews) {
    await operation.record({ step: 'reviewed', verdict, digest, allowed, moves, from, kind });
  }
  await reviewing.gate?.assertDay(signing, operation, reviews);
};

/** The same of bytes that were reviewed before: what left by them then leaves by them now. */
export const recordAgain = (reviewing: Recording, all: readonly ReviewEntry[], address: string): Promise<void> =>
  sendingNothing(() =>
    keepingRefusal(reviewing.operation, undefined, async () => {
      const { operation, gate } = reviewing;
      const signing = signingOf(reviewing, address);
      const { address: from, kind } = signing;
      for (const { verdict, digest, allowed, moves } of all) {
        await operation.record({ step: 'reviewed', verdict, digest, allowed, moves, from, kind });
      }
      await gate?.assertDay(
        signing,
        operation,
        all.map(({ digest, moves: leaves }) => ({ digest, leaves })),
      );
    }),
  );

/**
 * The same, each review in the journal before its transaction is signed, all of them held against the limits of the
 * day, and each signature after: what a movement signs counts, also where it is not sent.
 */
export const reviewAndSignRecorded = async (
  reviewing: Recording,
  all: readonly ToReview[],
  key: UnlockedSeed,
  firstPart = 1,
): Promise<readonly Reviewed[]> => {
  const { operation } = reviewing;
  const before = (reviews: readonly SolanaReview[]) => recordReviews(reviewing, reviews, key.address);
  const reviewed = await keepingRefusal(operation, undefined, () => reviewAndSign(reviewing, all, key, before));
  for (const [at, { signed }] of reviewed.entries()) {
    await operation.record({ step: 'signed_part', part: at + firstPart, ...signed });
  }
  return reviewed;
};

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
      await recordReviews(reviewing, reviews, address);
    }),
  );
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

/** A policy that cannot tell what leaves: of bytes that were reviewed before a simulation showed it then. */
const isAboutOpen = ({ id }: Check): boolean => id === 'policy';

/** The checks of bytes that were reviewed before, under the policies as they are now. */
const checkedAgain = async (
  reviewing: Reviewing,
  { transaction, asked, wallet }: ToReview,
): Promise<readonly Check[]> => {
  const { network, overrides, witness, gate } = reviewing;
  const unsigned = parseSolana(transaction);
  const facts = witness && (await factsFrom(witness, unsigned, network.kind, { isLater: true }));
  const signing = signingOf(reviewing, unsigned.message.addresses[0] ?? '');
  const policy = await gate?.inForce(signing, { digest: digestOfMessage(unsigned) });
  return reviewSolana({ unsigned, network, asked, wallet, overrides, facts, policy }).checks;
};

/**
 * Compares bytes that were reviewed before with what the user states now: what is left unstated needs no statement again,
 * and a contradiction stays one, so does what a policy refuses that may be younger than the review. What a node would say
 * of them now is not asked, for they may have landed. Throws `refused_by_review`.
 */
export const assertAsStated = async (reviewing: Reviewing, all: readonly ToReview[]): Promise<void> => {
  for (const each of all) {
    const checks = await checkedAgain(reviewing, each);
    const wrong = checks.filter((check) => check.verdict === 'refuse' && !isAboutOpen(check));
    if (wrong.length === 0) continue;
    throw refusedByPolicy(wrong, 'This machine has reviewed these bytes before, and nothing was sent now.');
  }
};

/**
 * Checks bytes that were approved and never sent against the policies as they are now: a policy may be younger than their
 * review. Throws `refused_by_review`, and then they are not sent any more.
 */
export const assertStillAllowed = (reviewing: Recording, transaction: string): Promise<void> =>
  keepingRefusal(reviewing.operation, undefined, async () => {
    if (reviewing.gate === undefined) return;
    const wrong = (await checkedAgain(reviewing, { transaction, asked: undefined })).filter(isOfPolicy);
    if (wrong.length > 0)
      throw refusedByPolicy(wrong, 'The signed transaction was not sent, and is not sent any more.');
  });
