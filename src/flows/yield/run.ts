import type { SolanaReview } from '../../chain/solana/review.ts';
import { isFailure, valueOn } from '../../core/failure.ts';
import type { Position } from '../../journal/event.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { openingKey, type SigningKey } from '../turn.ts';
import { inTurn, type MovingContext } from './context.ts';
import { assertFirst, assertNoneBeside } from './earlier.ts';
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
  key: SigningKey,
  start: Start,
): Promise<PreparedYield> =>
  inTurn(openingKey(context, key), request.intent.wallet, async (held) => {
    await assertNoneBeside(held, request.intent);
    const attempt = async () => {
      const prepared = await prepareRecorded(held, request, key, start);
      await assertFirst(held, request.intent);
      return { prepared, expired: await sendParts(held, request.intent, prepared.parts, start.positions) };
    };
    const { prepared, expired } = await attempt();
    if (!expired) return prepared;
    const { hash } = expired.sendable.signed;
    const isDead = await isSurelyDead(held, expired.sendable.lifetime, hash);
    if (!isDead) throw expired.failure;
    await held.operation.record({ step: 'dead', hash });
    await held.on({ kind: 'expired', hash });
    const again = await attempt();
    if (again.expired) throw again.expired.failure;
    return again.prepared;
  });

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

/** Reads the final positions; a failed read must not hide that the money has moved. */
export const reportPositions = async ({ client, on }: MovingContext, intent: YieldIntent) => {
  const positions = await readPositions(client, intent).catch(valueOn(isFailure, []));
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
  key: SigningKey,
): Promise<YieldResult> => {
  const before = await readPositions(context.client, request.intent);
  const { reviews, parts } = await sendOrRebuild(context, request, key, { positions: before, firstPart: 1 });
  const after = await reportPositions(context, request.intent);
  context.operation.noteEnd({ step: 'settled', positions: after });
  return { hashes: parts.map(({ signed }) => signed.hash), reviews, before, after };
};
