import { allowProgram, allowRecipient, feeAtMost } from '../../chain/allow.ts';
import { fundingCommand } from '../../chain/funds.ts';
import { isLocked } from '../../chain/pass.ts';
import { approveSolana } from '../../chain/solana/approve.ts';
import type { Asked } from '../../chain/solana/context.ts';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage, reviewSolana, type SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signed.ts';
import type { Unstated } from '../../chain/stated.ts';
import { SOLANA } from '../../contract/solana.ts';
import type { Movement } from '../../journal/movement.ts';
import type { Signing } from '../policy/gate.ts';
import { keepingRefusal, namingFunds, notSigned } from '../policy/refusal.ts';
import { factsFrom } from '../solana/facts.ts';
import type { OpenSeed, Reviewing } from './context.ts';

/** A transaction as the service gave it, and what it must do where that is known. */
export type ToSign = {
  readonly transaction: string;
  readonly asked: Asked | undefined;
  /** Facts that nobody but the transaction itself states. */
  readonly unstated?: readonly Unstated[] | undefined;
};

/** A review and what was signed on the strength of it. */
export type Reviewed = { readonly review: SolanaReview; readonly signed: SignedSolana };

/** Whose signature it is, and whether it is for the chain of the sandbox. */
const signingOf = ({ network }: Reviewing, address: string): Signing => ({
  chain: 'solana',
  address,
  kind: network.kind,
});

const reviewOne = async (
  reviewing: Reviewing,
  { transaction, asked, unstated }: ToSign,
  signer: string,
  isLater: boolean,
) => {
  const { network, overrides, witness, nameOf, on } = reviewing;
  const unsigned = parseSolana(transaction);
  const [facts, payerName] = await Promise.all([
    witness && factsFrom(witness, unsigned, network.kind, { isLater }),
    nameOf?.(signer),
  ]);
  const policy = await reviewing.gate?.inForce(
    { ...signingOf(reviewing, signer), blockhash: unsigned.message.blockhash },
    { digest: digestOfMessage(unsigned) },
  );
  const left = policy?.hasMandate ? [] : unstated;
  const review = reviewSolana({
    unsigned,
    network,
    asked,
    signer,
    overrides,
    facts,
    payerName,
    unstated: left,
    policy,
  });
  await on({ kind: 'reviewed', review });
  return review;
};

/**
 * Reviews all transactions of an operation, shows them, asks once, and signs them. Nothing is signed before every
 * one has passed. `beforeSigning` gets the reviews, for a record of them. Throws `refused_by_review`.
 */
const reviewAndSign = async (
  reviewing: Reviewing,
  all: readonly ToSign[],
  key: OpenSeed,
  beforeSigning: (reviews: readonly SolanaReview[]) => Promise<void> = async () => undefined,
): Promise<readonly Reviewed[]> => {
  const reviews: SolanaReview[] = [];
  for (const [at, each] of all.entries()) reviews.push(await reviewOne(reviewing, each, key.address, at > 0));
  // A question whose yes would not do is not asked.
  const canPass = reviews.every(({ verdict, checks }) => verdict !== 'refuse' && !checks.some(isLocked));
  if (canPass && !(await reviewing.approve(reviews))) throw notSigned();
  const checks = reviews.flatMap((review) => review.checks);
  const next = fundingCommand(checks, reviewing.network.kind, (await reviewing.nameOf?.(key.address)) ?? key.address);
  const approved = namingFunds(next, () => reviews.map((review) => approveSolana(review, 'user_said_yes')));
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

/**
 * The same, each review in the journal before its transaction is signed, all of them held against the limits of the
 * day, and each signature after: what a movement signs counts, also where it is not sent.
 */
export const reviewAndSignRecorded = async (
  reviewing: Reviewing & { readonly movement: Movement },
  all: readonly ToSign[],
  key: OpenSeed,
  firstPart = 1,
): Promise<readonly Reviewed[]> => {
  const { movement } = reviewing;
  const allowed = allowedBy(reviewing);
  const signing = signingOf(reviewing, key.address);
  const { address: from, kind } = signing;
  const before = async (reviews: readonly SolanaReview[]) => {
    for (const { verdict, digest, leaves: moves } of reviews) {
      await movement.record({ step: 'reviewed', verdict, digest, allowed, moves, from, kind });
    }
    await reviewing.gate?.assertDay(signing, movement, reviews);
  };
  const reviewed = await keepingRefusal(movement, undefined, () => reviewAndSign(reviewing, all, key, before));
  for (const [at, { signed }] of reviewed.entries()) {
    await movement.record({ step: 'signed_part', part: at + firstPart, ...signed });
  }
  return reviewed;
};

/** For what is only signed: recorded under a policy, and not at all without one. */
export const signAlone = async (
  reviewing: Reviewing,
  all: readonly ToSign[],
  key: OpenSeed,
): Promise<readonly Reviewed[]> => {
  const { gate } = reviewing;
  if (gate === undefined) return reviewAndSign(reviewing, all, key);
  const intent = { operation: 'sign', chain: SOLANA, wallet: key.address } as const;
  return gate.withSigning(signingOf(reviewing, key.address), intent, (movement) =>
    movement === undefined
      ? reviewAndSign(reviewing, all, key)
      : reviewAndSignRecorded({ ...reviewing, movement }, all, key),
  );
};
