import type { SolanaReview } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signed.ts';
import { Failure } from '../../core/failure.ts';
import type { Position, YieldIntent } from '../../journal/yield-entry.ts';
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
  firstPart = 1,
): Promise<Prepared> => {
  const [{ transactions, fees }, took] = await timed(context, getBuilt);
  await context.on({ kind: 'built', count: transactions.length, took });
  const asked = askedOf(operation.intent, transactions.length, fees);
  const lifetimes: Lifetime[] = [];
  for (const each of transactions) lifetimes.push(await lifetimeOf(context, each));
  const reviewed = await signAll(transactions.map((transaction, at) => ({ transaction, asked: asked[at] })));
  return {
    reviews: reviewed.map(({ review }) => review),
    parts: reviewed.map(({ signed }, at) => ({ signed, part: at + firstPart, lifetime: lifetimes[at] as Lifetime })),
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

/** What the wallet has before, and the number that the first transaction gets: 2 for the missing half of two. */
type Start = { readonly positions: readonly Position[]; readonly firstPart: number };

/** The same, each step in the journal before it is made: nothing is signed whose review is not on the disk. */
const prepareRecorded = async (
  context: MovingContext,
  operation: Operation,
  key: OpenSeed,
  { positions, firstPart }: Start,
): Promise<Prepared> => {
  const getBuilt = () =>
    recorded(
      context,
      { step: 'building' },
      () => build(context.client, operation),
      ({ transactions }) => ({ step: 'built', transactions, positions }),
    );
  const { movement } = context;
  const signAll: SignAll = (all) => reviewAndSignRecorded(context, movement, all, key, firstPart);
  return prepareWith(context, operation, getBuilt, signAll, firstPart);
};

/** The end of an operation: what landed, in its order, and what the wallet had before and has after. */
export type Operated = {
  readonly hashes: readonly string[];
  readonly reviews: readonly SolanaReview[];
  readonly before: readonly Position[];
  readonly after: readonly Position[];
};

/**
 * Builds, reviews, signs and sends in order. Where the first transaction expired and is surely dead, all is built,
 * reviewed and signed once more.
 */
export const sendOrRebuild = async (
  context: MovingContext,
  operation: Operation,
  key: OpenSeed,
  start: Start,
): Promise<Prepared> => {
  const { positions: before } = start;
  const prepared = await prepareRecorded(context, operation, key, start);
  const expired = await sendInOrder(context, operation.intent, prepared.parts);
  if (!expired) return prepared;
  const { hash } = expired.sendable.signed;
  const read = () => readPositions(context.client, operation.intent);
  const isDead = await isSurelyDead(context, expired.sendable.lifetime, hash, { before, read });
  if (!isDead) throw expired.failure;
  await context.movement.record({ step: 'dead', hash });
  await context.on({ kind: 'expired', hash });
  const again = await prepareRecorded(context, operation, key, start);
  const expiredAgain = await sendInOrder(context, operation.intent, again.parts);
  if (expiredAgain) throw expiredAgain.failure;
  return again;
};

/** Tells what the wallet has in the end; that it cannot be read must not hide that the money has moved. */
export const tellPositions = async (
  { client, on }: MovingContext,
  intent: YieldIntent,
): Promise<readonly Position[]> => {
  const positions = await readPositions(client, intent).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  await on({ kind: 'positions', positions });
  return positions;
};

/**
 * Takes an operation from its building to its landing: position, build, review, sign, send in order, position. An
 * expired transaction is replaced only when it is surely dead. Throws `outcome_unknown` with the hash where nobody
 * can tell what happened.
 */
export const runOperation = async (context: MovingContext, operation: Operation, key: OpenSeed): Promise<Operated> => {
  const { client } = context;
  const before = await readPositions(client, operation.intent);
  const { reviews, parts } = await sendOrRebuild(context, operation, key, { positions: before, firstPart: 1 });
  const after = await tellPositions(context, operation.intent);
  return { hashes: parts.map(({ signed }) => signed.hash), reviews, before, after };
};

/** Records that the end of an operation was told: until then another one of the same kind says it first. */
export const closeOperation = ({ movement }: MovingContext, { after }: Operated): Promise<void> =>
  movement.note({ step: 'settled', positions: after });
