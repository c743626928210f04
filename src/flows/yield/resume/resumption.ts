import { tokenNamed } from '../../../chain/solana/network.ts';
import type { Input } from '../../../client/call.ts';
import { Failure, withDetails } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import { purposeOf } from '../../../journal/doubt.ts';
import { isYieldIntent, type Purpose, partOf, type RelayIntent, type YieldIntent } from '../../../journal/intents.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import type { YieldProgress } from '../../../journal/yield-progress.ts';
import { AGAIN, type Consent, confirmApproved, consentTo } from '../../operation/resume.ts';
import { asFailure } from '../../read-back.ts';
import type { SigningKey } from '../../turn.ts';
import { inTurn, type MovingContext } from '../context.ts';
import { assertFirst } from '../earlier.ts';
import { isSurelyDead, landedElsewhere, lifetimeOf } from '../lifetime.ts';
import { readPositions } from '../positions.ts';
import { wasReviewed } from '../relay.ts';
import { askedOf, inWords, type YieldRequest, yieldRequestOf } from '../request.ts';
import { runYield, sendOrRebuild, type YieldResult } from '../run.ts';
import { afterFirst, sendOne } from '../send.ts';
import type { ToReview } from '../sign.ts';
import { isExpired } from '../unclear.ts';

/** The context of a resumed operation. */
export type ResumptionStart = Consent<SigningKey> & {
  readonly context: MovingContext;
  readonly intent: YieldIntent | RelayIntent;
  /** The original input; `undefined` if it was removed. */
  readonly input: Input | undefined;
};

/** The same with the progress of the operation, as its journal shows it now. */
export type Resumption = ResumptionStart & { readonly reading: YieldProgress };

/** The intent of an operation; `undefined` for relayed bytes. */
export const yieldIntentOf = ({ intent }: ResumptionStart): YieldIntent | undefined =>
  intent.operation === 'broadcast' ? undefined : intent;

/** What an operation is for, as far as it is known. */
export const purposeIn = ({ context: { operation }, intent }: ResumptionStart): Purpose =>
  purposeOf(operation.state()) ?? intent;

/** What the user has to confirm first, for `consentTo`. `where` starts the message. */
export const pendingAt = ({ context: { operation } }: ResumptionStart, where: string) => ({
  where,
  data: { [WIRE_ID]: operation.id },
  hint: 'Nothing was sent now.',
  next: nextStep('yield.resume.confirmed', operation.id),
});

/** New signatures and sends require the user's confirmation. */
export const consentOf = (resumption: ResumptionStart, where: string): NonNullable<Resumption['withKey']> =>
  consentTo(resumption.withKey, pendingAt(resumption, where));

const inputFrom = (intent: YieldIntent): Input => {
  const { amount, asset, chain: chain_name, wallet, provider_in, provider_out } = intent;
  const providers =
    intent.operation === 'rebalance' ? { provider_out, provider_in } : { provider: provider_in ?? provider_out };
  return { amount, asset, chain_name, wallet, ...providers };
};

/** An operation to build again, from its original input or its intent. */
export const yieldRequestFor = (intent: YieldIntent, input: Input | undefined): YieldRequest =>
  yieldRequestOf(intent.operation, input ?? inputFrom(intent));

/** Unsent bytes can be replaced after their end is recorded. */
export const giveUp = ({ context }: ResumptionStart, { hash }: SignedPart): Promise<void> =>
  context.operation.record({ step: 'dead', hash });

/** The first has landed: a failure of the second must state where the money is. */
export const troubleWith = (resumption: Resumption, second: SignedPart, error: unknown): Failure => {
  const [intent, failure] = [yieldIntentOf(resumption), asFailure(error)];
  const first = resumption.reading.signed[second.part - 2]?.hash;
  const operationId = resumption.context.operation.id;
  return intent && first ? afterFirst(failure, intent, { first, second: second.hash, operationId }) : failure;
};

/** The first of two has landed, and the second was never sent, so it cannot land. */
export const unsent = (resumption: Resumption, error: unknown): Failure => {
  const failure = asFailure(error);
  if (resumption.reading.landed === 0) return failure;
  return withDetails(failure, { data: { live: false } });
};

/** The expected effect: from the operation, or from the statement about external bytes. */
export const toReview = (resumption: Resumption, signedPart: SignedPart): ToReview => {
  const { part, signed_transaction: transaction } = signedPart;
  const [purpose, count] = [purposeIn(resumption), resumption.reading.signed.length];
  return { transaction, asked: isYieldIntent(purpose) ? askedOf(purpose, count, [])[part - 1] : undefined };
};

/** The bytes as the subject of a sentence. */
const subjectOf = (resumption: Resumption, { part, hash }: SignedPart): string => {
  const [intent, count] = [yieldIntentOf(resumption), resumption.reading.signed.length];
  const which = count === 1 ? 'The transaction' : `The ${part === 1 ? 'first' : 'second'} transaction`;
  return `${which}${intent ? ` of "${inWords(intent)}"` : ''} (${hash})`;
};

/** Unreviewed external bytes of an earlier version are not sent by a resume. */
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

/** Approved bytes of an operation, as its journal shows it now. */
export type ApprovedPart = { readonly resumption: Resumption; readonly part: SignedPart };

/** Approved bytes that were never sent need a new confirmation: the user may have changed their mind. */
export const confirmSending = async ({ resumption, part }: ApprovedPart): Promise<void> => {
  await assertReviewed(resumption, part);
  const subject = subjectOf(resumption, part);
  const pending = pendingAt(resumption, `${subject} is signed and was not sent yet`);
  await confirmApproved(resumption, { ...pending, question: `${subject} was reviewed and signed. Send it?` });
};

/** Sends approved bytes for the first time. Bytes that expire meanwhile are given up, and the resume goes on. */
export const sendApproved = async ({ resumption, part: next }: ApprovedPart): Promise<typeof AGAIN> => {
  const { context, intent, reading } = resumption;
  const { hash, part } = next;
  const purpose = purposeIn(resumption);
  // Only what is missing can be done twice.
  const missing = part > 1 && isYieldIntent(purpose) ? partOf(purpose, part, reading.signed.length) : purpose;
  if (await landedElsewhere(context, hash)) {
    await context.operation.record({ step: 'landed', part, hash });
    return AGAIN;
  }
  const lifetime = await lifetimeOf(context, next.signed_transaction);
  await inTurn(context, next.from, async (held) => {
    await assertFirst(held, missing, [hash]);
    try {
      await sendOne(held, intent.chain, { signed: next, part, lifetime });
    } catch (error) {
      const isDead = isExpired(error) && (await isSurelyDead(context, lifetime, next.hash));
      if (!isDead) throw troubleWith(resumption, next, error);
      await giveUp(resumption, next);
    }
  });
  return AGAIN;
};

/** The missing second half: a deposit of the amount that the first withdrew. */
export const rebuildHalf = async (resumption: Resumption, intent: YieldIntent): Promise<typeof AGAIN> => {
  const { context, reading } = resumption;
  const half = partOf(intent, 2, 2);
  const where = `${inWords(intent)} is half done: its first transaction, ${reading.signed[0]?.hash}, has landed, and the second never did. Missing is "${inWords(half)}"`;
  const withKey = consentOf(resumption, where);
  const asset = tokenNamed(context.network, half.asset)?.symbol ?? half.asset;
  const request = { ...yieldRequestFor({ ...half, asset }, undefined), intent: half };
  await withKey(async (key) => {
    const positions = await readPositions(context.client, half);
    await sendOrRebuild(context, request, key, { positions, firstPart: 2 });
  });
  return AGAIN;
};

/** Nothing was sent: builds, reviews, signs and sends everything. */
export const startAgain = async (resumption: ResumptionStart, intent: YieldIntent): Promise<YieldResult> => {
  const withKey = consentOf(resumption, `"${inWords(intent)}" was started, and nothing was sent for it`);
  const request = yieldRequestFor(intent, resumption.input);
  return withKey(async (key) => {
    const { context } = resumption;
    // Bytes that never left this machine no longer count towards a day.
    for (const part of context.operation.state().signed) if (!part.isDead) await giveUp(resumption, part);
    return runYield(context, request, key);
  });
};
