import type { SolanaReview } from '../../chain/solana/review.ts';
import { Failure } from '../../core/failure.ts';
import type { Position } from '../../journal/event.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import type { MovingContext, UnlockedSeed } from './context.ts';
import { inTurn } from './in-turn.ts';
import { isSurelyDead } from './lifetime.ts';
import { readPositions } from './positions.ts';
import { type Prepared, prepareRecorded, type Start } from './prepare.ts';
import type { YieldRequest } from './request.ts';
import { type Expired, type Sendable, sendInOrder } from './send.ts';
import { sendBoth } from './send-together.ts';

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
export const sendOrRebuild = (
  context: MovingContext,
  request: YieldRequest,
  key: UnlockedSeed,
  start: Start,
): Promise<Prepared> => inTurn(context, request.intent.wallet, (held) => sendOrRebuildHeld(held, request, key, start));

/** Document: both transactions of a dual rebalance go by one call. A node takes one at a time. */
const sendParts = async (
  context: MovingContext,
  intent: YieldIntent,
  parts: readonly Sendable[],
  before: readonly Position[],
): Promise<Expired | undefined> => {
  const [first, second] = parts;
  const isTogether = context.node === undefined && !context.oneByOne;
  if (!first || !second || !isTogether) return sendInOrder(context, intent, parts);
  await sendBoth(context, intent, [first, second], before);
  return undefined;
};

const sendOrRebuildHeld = async (
  context: MovingContext,
  request: YieldRequest,
  key: UnlockedSeed,
  start: Start,
): Promise<Prepared> => {
  const prepared = await prepareRecorded(context, request, key, start);
  const expired = await sendParts(context, request.intent, prepared.parts, start.positions);
  if (!expired) return prepared;
  const { hash } = expired.sendable.signed;
  const isDead = await isSurelyDead(context, expired.sendable.lifetime, hash);
  if (!isDead) throw expired.failure;
  await context.operation.record({ step: 'dead', hash });
  await context.on({ kind: 'expired', hash });
  const again = await prepareRecorded(context, request, key, start);
  const expiredAgain = await sendParts(context, request.intent, again.parts, start.positions);
  if (expiredAgain) throw expiredAgain.failure;
  return again;
};

/** Tells what the wallet has in the end; that it cannot be read must not hide that the money has moved. */
export const reportPositions = async (
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
export const runYield = async (context: MovingContext, request: YieldRequest, key: UnlockedSeed): Promise<Operated> => {
  const { client } = context;
  const before = await readPositions(client, request.intent);
  const { reviews, parts } = await sendOrRebuild(context, request, key, { positions: before, firstPart: 1 });
  const after = await reportPositions(context, request.intent);
  return { hashes: parts.map(({ signed }) => signed.hash), reviews, before, after };
};

/** Records that the end of an operation was told: until then another one of the same kind says it first. */
export const closeYield = ({ operation }: MovingContext, { after }: Operated): Promise<void> =>
  operation.note({ step: 'settled', positions: after });
