import { tokenNamed } from '../../../chain/solana/network.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { YieldIntent } from '../../../journal/intents.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { asFailure } from '../../unclear.ts';
import { inTurn } from '../in-turn.ts';
import { isSurelyDead, lifetimeOf } from '../lifetime.ts';
import { readPositions } from '../positions.ts';
import { wasReviewed } from '../relay.ts';
import { askedOf, intentStated, inWords, partOf } from '../request.ts';
import { assertStillAllowed } from '../review-signed.ts';
import { type Operated, runYield, sendOrRebuild } from '../run.ts';
import { afterFirst, sendOne } from '../send.ts';
import type { ToReview } from '../sign.ts';
import { isExpired } from '../unclear.ts';
import { type Resumption, wordOf, yieldIntentOf, yieldRequestFor } from './resumption.ts';
import { canLive } from './settle.ts';

/** Bytes that never left this machine can be replaced, once it is written down that they are not sent any more. */
const giveUp = ({ context }: Resumption, { hash }: SignedPart): Promise<void> =>
  context.operation.record({ step: 'dead', hash });

/** The first has landed: whoever reads of the trouble with the second must know where the money is. */
const troubleWith = (resumption: Resumption, second: SignedPart, error: unknown): Failure => {
  const [intent, failure] = [yieldIntentOf(resumption), asFailure(error)];
  const first = resumption.reading.signed[second.part - 2]?.hash;
  const operationId = resumption.context.operation.id;
  return intent && first
    ? afterFirst(failure, intent, { first, second: second.hash, operationId: operationId })
    : failure;
};

/** The first of two has landed, and the second is on this machine alone: nothing can land by it. */
const unsent = (resumption: Resumption, error: unknown): Failure => {
  const failure = asFailure(error);
  if (resumption.reading.landed === 0) return failure;
  return new Failure(failure.code, failure.sentence, { ...failure.details, data: { live: false } });
};

/** What the transaction must do: by the operation, or by what was stated of bytes that were signed elsewhere. */
const toReview = (resumption: Resumption, { part, from, signed_transaction: transaction }: SignedPart): ToReview => {
  const { context, reading } = resumption;
  const intent = yieldIntentOf(resumption) ?? intentStated(context.operation.state().stated, from);
  return { transaction, asked: intent && askedOf(intent, reading.signed.length, [])[part - 1] };
};

/** Which bytes they are, as the subject of a sentence. */
const subjectOf = (resumption: Resumption, { part, hash }: SignedPart): string => {
  const [intent, count] = [yieldIntentOf(resumption), resumption.reading.signed.length];
  const which = count === 1 ? 'The transaction' : `The ${part === 1 ? 'first' : 'second'} transaction`;
  return `${which}${intent ? ` of "${inWords(intent)}"` : ''} (${hash})`;
};

/** Bytes of others that an earlier version wrote down without a review are not sent by a resume. */
const assertReviewed = async (resumption: Resumption, { hash, signed_transaction }: SignedPart): Promise<void> => {
  const { client, operation } = resumption.context;
  if (yieldIntentOf(resumption) || (await wasReviewed(client, { hash, signed_transaction }))) return;
  await operation.record({ step: 'superseded', hash });
  throw new Failure('refused_by_review', `the transaction ${hash} was never reviewed; nothing was sent`, {
    data: { hash, [WIRE_ID]: operation.id },
    hint: 'yield broadcast reviews it.',
    next: nextStep('operation.show', 'yield', operation.id),
  });
};

/** Bytes that were approved and whose sending was never begun: the user may have thought better of it. */
const confirmSending = async (resumption: Resumption, next: SignedPart): Promise<void> => {
  await assertReviewed(resumption, next);
  const subject = subjectOf(resumption, next);
  wordOf(resumption, `${subject} is signed and was not sent yet`);
  if (await resumption.confirm(`${subject} was reviewed and signed. Send it?`)) return;
  throw new Failure('declined', 'not confirmed; nothing was sent', {
    next: nextStep('yield.resume.confirmed', resumption.context.operation.id),
  });
};

/**
 * Sends bytes that were approved, for the first time, with the user's word. What expired meanwhile is given up, where it
 * is surely dead: then something else goes on.
 */
export const sendApproved = async (resumption: Resumption, next: SignedPart): Promise<void> => {
  const { context, intent } = resumption;
  if (!(await canLive(context, next))) return giveUp(resumption, next);
  await confirmSending(resumption, next);
  await assertStillAllowed(context, toReview(resumption, next)).catch((error: unknown) => {
    throw troubleWith(resumption, next, unsent(resumption, error));
  });
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
  const request = { ...yieldRequestFor({ ...half, asset }, undefined), intent: half };
  await withKey(async (key) => {
    const positions = await readPositions(context.client, half);
    await sendOrRebuild(context, request, key, { positions, firstPart: 2 });
  });
};

/** Nothing was sent: all of it is built, reviewed, signed and sent. */
export const startAgain = async (resumption: Resumption, intent: YieldIntent): Promise<Operated> => {
  const withKey = wordOf(resumption, `"${inWords(intent)}" was begun, and nothing was sent for it`);
  const request = yieldRequestFor(intent, resumption.input);
  return withKey((key) => runYield(resumption.context, request, key));
};
