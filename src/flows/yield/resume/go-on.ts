import { tokenNamed } from '../../../chain/solana/network.ts';
import type { Failure } from '../../../core/failure.ts';
import type { YieldIntent } from '../../../journal/yield-entry.ts';
import type { SignedBytes } from '../../../journal/yield-reading.ts';
import { asFailure } from '../../unclear.ts';
import { inTurn } from '../in-turn.ts';
import { isSurelyDead, lifetimeOf } from '../lifetime.ts';
import { inWords, partOf } from '../operation.ts';
import { readPositions } from '../positions.ts';
import { type Operated, runOperation, sendOrRebuild } from '../run.ts';
import { afterFirst, sendOne } from '../send.ts';
import { isExpired } from '../unclear.ts';
import { operationFor, type Resumption, wordOf, yieldIntentOf } from './resumption.ts';
import { canLive } from './settle.ts';

/** Bytes that never left this machine can be replaced, once it is written down that they are not sent any more. */
const giveUp = ({ context }: Resumption, { hash }: SignedBytes): Promise<void> =>
  context.movement.record({ step: 'dead', hash });

/** The first has landed: whoever reads of the trouble with the second must know where the money is. */
const troubleWith = (resumption: Resumption, second: SignedBytes, error: unknown): Failure => {
  const [intent, failure] = [yieldIntentOf(resumption), asFailure(error)];
  const first = resumption.reading.signed[second.part - 2]?.hash;
  const movement = resumption.context.movement.id;
  return intent && first ? afterFirst(failure, intent, { first, second: second.hash, movement }) : failure;
};

/**
 * Sends bytes that were approved, for the first time. What expired meanwhile is given up, where it is surely dead:
 * then something else goes on.
 */
export const sendApproved = async (resumption: Resumption, next: SignedBytes): Promise<void> => {
  const { context, intent } = resumption;
  if (!(await canLive(context, next))) return giveUp(resumption, next);
  const lifetime = await lifetimeOf(context, next.signed_transaction);
  try {
    await inTurn(context, next.from, (held) =>
      sendOne(held, intent.chain, { signed: next, part: next.part, lifetime }),
    );
  } catch (error) {
    const isDead = isExpired(error) && (await isSurelyDead(context, lifetime, next.hash));
    if (!isDead) throw troubleWith(resumption, next, error);
    await giveUp(resumption, next);
  }
};

/** The other half of two, as a deposit of what the first took out: it is all that is missing. */
export const rebuildHalf = async (resumption: Resumption, intent: YieldIntent): Promise<void> => {
  const { context, reading } = resumption;
  const half = partOf(intent, 2, 2);
  const where = `${inWords(intent)} is half done: its first transaction, ${reading.signed[0]?.hash}, has landed, and the second never did. Missing is "${inWords(half)}"`;
  const withKey = wordOf(resumption, where);
  const asset = tokenNamed(context.network, half.asset)?.symbol ?? half.asset;
  const operation = { ...operationFor({ ...half, asset }, undefined), intent: half };
  await withKey(async (key) => {
    const positions = await readPositions(context.client, half);
    await sendOrRebuild(context, operation, key, { positions, firstPart: 2 });
  });
};

/** Nothing was sent: all of it is built, reviewed, signed and sent. */
export const startAgain = async (resumption: Resumption, intent: YieldIntent): Promise<Operated> => {
  const withKey = wordOf(resumption, `"${inWords(intent)}" was begun, and nothing was sent for it`);
  const operation = operationFor(intent, resumption.input);
  return withKey((key) => runOperation(resumption.context, operation, key));
};
