import type { SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/sign.ts';
import { Failure } from '../../core/failure.ts';
import type { Position } from '../../journal/yield-entry.ts';
import { recorded } from '../recorded.ts';
import { timed } from '../timed.ts';
import { build } from './build.ts';
import type { MovingContext, OpenSeed, SigningContext } from './context.ts';
import { isSurelyDead, type Lifetime, lifetimeOf } from './lifetime.ts';
import { askedOf, type Operation } from './operation.ts';
import { readPositions } from './positions.ts';
import { type Sendable, sendInOrder } from './send.ts';
import { type Reviewed, reviewAndSignRecorded, signAlone, type ToSign } from './sign.ts';

/** What an operation is made of once it is signed. */
export type Prepared = { readonly reviews: readonly SolanaReview[]; readonly parts: readonly Sendable[] };

type SignAll = (all: readonly ToSign[]) => Promise<readonly Reviewed[]>;

const prepareWith = async (
  context: SigningContext,
  operation: Operation,
  getBuilt: () => ReturnType<typeof build>,
  signAll: SignAll,
): Promise<Prepared> => {
  const [{ transactions, fees }, took] = await timed(context, getBuilt);
  await context.on({ kind: 'built', count: transactions.length, took });
  const asked = askedOf(operation.intent, transactions.length, fees);
  const lifetimes: Lifetime[] = [];
  for (const each of transactions) lifetimes.push(await lifetimeOf(context, each));
  const reviewed = await signAll(transactions.map((transaction, at) => ({ transaction, asked: asked[at] })));
  return {
    reviews: reviewed.map(({ review }) => review),
    parts: reviewed.map(({ signed }, at) => ({ signed, part: at + 1, lifetime: lifetimes[at] as Lifetime })),
  };
};

/** Builds an operation, reviews it and signs it. Nothing is sent, and nothing is recorded but under a policy. */
export const signOperation = async (
  context: SigningContext,
  operation: Operation,
  key: OpenSeed,
): Promise<readonly SignedSolana[]> => {
  const getBuilt = () => build(context.client, operation);
  const { parts } = await prepareWith(context, operation, getBuilt, (all) => signAlone(context, all, key));
  return parts.map(({ signed }) => signed);
};

/** The same, each step in the journal before it is made: nothing is signed whose review is not on the disk. */
const prepareRecorded = async (
  context: MovingContext,
  operation: Operation,
  key: OpenSeed,
  positions: readonly Position[],
): Promise<Prepared> => {
  const getBuilt = () =>
    recorded(
      context,
      { step: 'building' },
      () => build(context.client, operation),
      ({ transactions }) => ({ step: 'built', transactions, positions }),
    );
  return prepareWith(context, operation, getBuilt, (all) => reviewAndSignRecorded(context, context.movement, all, key));
};

/** The end of an operation: what landed, in its order, and what the wallet had before and has after. */
export type Operated = {
  readonly hashes: readonly string[];
  readonly reviews: readonly SolanaReview[];
  readonly before: readonly Position[];
  readonly after: readonly Position[];
};

/** Sends; where the first transaction expired and is surely dead, all is built, reviewed and signed once more. */
const sendOrRebuild = async (
  context: MovingContext,
  operation: Operation,
  key: OpenSeed,
  before: readonly Position[],
): Promise<Prepared> => {
  const prepared = await prepareRecorded(context, operation, key, before);
  const expired = await sendInOrder(context, operation.intent, prepared.parts);
  if (!expired) return prepared;
  const { hash } = expired.sendable.signed;
  const read = () => readPositions(context.client, operation.intent);
  const isDead = await isSurelyDead(context, expired.sendable.lifetime, hash, { before, read });
  if (!isDead) throw expired.failure;
  await context.movement.record({ step: 'dead', hash });
  await context.on({ kind: 'expired', hash });
  const again = await prepareRecorded(context, operation, key, before);
  const expiredAgain = await sendInOrder(context, operation.intent, again.parts);
  if (expiredAgain) throw expiredAgain.failure;
  return again;
};

/**
 * Takes an operation from its building to its landing: position, build, review, sign, send in order, position. An
 * expired transaction is replaced only when it is surely dead. Throws `outcome_unknown` with the hash where nobody
 * can tell what happened.
 */
export const runOperation = async (context: MovingContext, operation: Operation, key: OpenSeed): Promise<Operated> => {
  const { client, on } = context;
  const before = await readPositions(client, operation.intent);
  const { reviews, parts } = await sendOrRebuild(context, operation, key, before);
  const after = await readPositions(client, operation.intent).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  await on({ kind: 'positions', positions: after });
  return { hashes: parts.map(({ signed }) => signed.hash), reviews, before, after };
};

/** Records that the end of an operation was told: until then another one of the same kind says it first. */
export const closeOperation = ({ movement }: MovingContext, { after }: Operated): Promise<void> =>
  movement.note({ step: 'settled', positions: after });
