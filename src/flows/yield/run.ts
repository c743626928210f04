import type { SolanaReview } from '../../chain/solana/review.ts';
import { Failure } from '../../core/failure.ts';
import type { Position } from '../../journal/event.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import type { MovingContext, UnlockedSeed } from './context.ts';
import { inTurn } from './in-turn.ts';
import { isSurelyDead } from './lifetime.ts';
import { readPositions } from './positions.ts';
import { type PreparedYield, prepareRecorded, type Start } from './prepare.ts';
import type { YieldRequest } from './request.ts';
import { type ExpiredTransaction, type Sendable, sendInOrder } from './send.ts';
import { sendBoth } from './send-together.ts';

/** The result of an operation: the landed hashes in order, and the positions before and after. */
export type YieldResult = {
  readonly hashes: readonly string[];
  readonly reviews: readonly SolanaReview[];
  readonly before: readonly Position[];
  readonly after: readonly Position[];
};

/**
 * Builds, reviews, signs and sends in order. If the first transaction expired and can never land, all steps are
 * repeated once.
 */
export const sendOrRebuild = (
  context: MovingContext,
  request: YieldRequest,
  key: UnlockedSeed,
  start: Start,
): Promise<PreparedYield> =>
  inTurn(context, request.intent.wallet, (held) => sendOrRebuildHeld(held, request, key, start));

/** Document: one call sends both transactions of a dual rebalance. A node accepts one at a time. */
const sendParts = async (
  context: MovingContext,
  intent: YieldIntent,
  parts: readonly Sendable[],
  before: readonly Position[],
): Promise<ExpiredTransaction | undefined> => {
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
): Promise<PreparedYield> => {
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

/** Reads the final positions; a failed read must not hide that the money has moved. */
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
 * Executes an operation: positions, build, review, sign, send in order, positions. An expired transaction is replaced
 * only if it can never land. Throws `outcome_unknown` with the hash if the outcome cannot be determined.
 */
export const runYield = async (
  context: MovingContext,
  request: YieldRequest,
  key: UnlockedSeed,
): Promise<YieldResult> => {
  const { client } = context;
  const before = await readPositions(client, request.intent);
  const { reviews, parts } = await sendOrRebuild(context, request, key, { positions: before, firstPart: 1 });
  const after = await reportPositions(context, request.intent);
  return { hashes: parts.map(({ signed }) => signed.hash), reviews, before, after };
};

/** Records that the result was printed: until then the next run of the same kind reports it. */
export const closeYield = ({ operation }: MovingContext, { after }: YieldResult): Promise<void> =>
  operation.note({ step: 'settled', positions: after });
