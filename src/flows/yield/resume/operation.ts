import { isSameTokenIn } from '../../../chain/solana/network.ts';
import { parseSolana } from '../../../chain/solana/parse.ts';
import { reviewSolana, type SolanaReview } from '../../../chain/solana/review.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { Failure, undefinedOn } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import { type Doubt, doubtIn, type OpenBytes, otherHalfOf } from '../../../journal/doubt.ts';
import type { YieldIntent } from '../../../journal/intents.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { progressOf } from '../../../journal/yield-progress.ts';
import { AGAIN, resumeOperation, type Situation, type Step } from '../../operation/resume.ts';
import { askedOf } from '../request.ts';
import { laterReview } from '../review-signed.ts';
import { reportPositions, type YieldResult } from '../run.ts';
import { failedOnChain, halfInDoubt } from '../unclear.ts';
import {
  type ApprovedPart,
  confirmSending,
  giveUp,
  purposeIn,
  type Resumption,
  type ResumptionStart,
  rebuildHalf,
  sendApproved,
  startAgain,
  toReview,
  troubleWith,
  unsent,
  yieldIntentOf,
} from './resumption.ts';
import { canLive, settleSent } from './settle.ts';

/** The end of an operation: it landed, or a later one did the missing half. */
export type ResumedYield =
  | { readonly kind: 'landed'; readonly operated: YieldResult }
  | { readonly kind: 'superseded'; readonly hashes: readonly string[] };

/** The effect of signed bytes, reported after they landed; it decides nothing. */
const reviewsOf = ({ context, reading }: Resumption, intent: YieldIntent): readonly SolanaReview[] => {
  const { network, overrides } = context;
  const reviews = undefinedOn(() => {
    const asked = askedOf(intent, reading.signed.length, []);
    return reading.signed.map(({ signed_transaction, from: signer }, at) => {
      const shared = { network, overrides, facts: undefined, policy: undefined };
      return reviewSolana({ ...shared, unsigned: parseSolana(signed_transaction), requested: asked[at], signer });
    });
  });
  return reviews ?? [];
};

const finish = async (resumption: Resumption): Promise<ResumedYield> => {
  const { context, reading } = resumption;
  const intent = yieldIntentOf(resumption);
  const hashes = reading.signed.map(({ hash }) => hash);
  const [reviews, after] = intent ? [reviewsOf(resumption, intent), await reportPositions(context, intent)] : [[], []];
  return { kind: 'landed', operated: { hashes, reviews, before: reading.beforeAll, after } };
};

/** Only its fee was charged. The first of two has still landed, and the second half can be repeated. */
const endFailed = async (resumption: Resumption, { hash }: Doubt, why: string): Step<ResumedYield> => {
  const { context, reading } = resumption;
  const { operation } = context;
  await operation.record({ step: 'dead', hash });
  // If two were sent together, the second may have landed or may still land.
  if (reading.handed.length > 1) return AGAIN;
  await operation.record({ step: 'failed', code: 'payment_failed', status: undefined, is_unknown: false });
  if (reading.landed > 0 && yieldIntentOf(resumption)) return AGAIN;
  throw failedOnChain(hash, why, { operationId: operation.id });
};

const settle = async (resumption: Resumption): Step<ResumedYield> => {
  const { context, intent, reading } = resumption;
  const doubt = { ...(doubtIn(reading) as OpenBytes), intent: yieldIntentOf(resumption) };
  const signed = reading.signed[doubt.part - 1] as SignedPart;
  const { operation, on } = context;
  const { hash, part } = doubt;
  const settled = await settleSent(context, doubt, {
    signed,
    chain: intent.chain,
    isInDoubt: reading.open?.isRefused !== true,
    mayBeSent: reading.landed >= part - 1,
  });
  switch (settled.kind) {
    case 'landed':
      await operation.record({ step: 'landed', part, hash });
      return AGAIN;
    case 'failed':
      return endFailed(resumption, doubt, settled.error);
    case 'dead':
      await operation.record({ step: 'dead', hash });
      await on({ kind: 'earlier_dead', hash });
      return AGAIN;
    default:
      return settled satisfies never;
  }
};

/** External bytes cannot be built again. */
const endDead = async ({ context, reading }: Resumption, { hash }: SignedPart): Promise<never> => {
  const { operation } = context;
  await operation.record(
    reading.landed > 0
      ? { step: 'superseded', hash }
      : { step: 'failed', code: 'rejected', status: undefined, is_unknown: false },
  );
  throw new Failure('rejected', `the transaction ${hash} expired before it landed: it moved nothing and never will`, {
    data: { hash, [WIRE_ID]: operation.id },
    hint: 'Its blockhash expired, and the chain never had it. Build the operation again, sign it and broadcast it.',
    next: nextStep('operation.show', 'yield', operation.id),
  });
};

const supersede = async ({ context, reading }: Resumption): Promise<ResumedYield> => {
  const hashes = reading.signed.slice(0, reading.landed).map(({ hash }) => hash);
  await context.operation.record({ step: 'superseded', hash: hashes.at(-1) });
  return { kind: 'superseded', hashes };
};

/**
 * The first of two has landed. The user may have done the second half separately: in doubt, a repeat could do it
 * twice.
 */
const wasDoneLater = async (resumption: Resumption): Promise<boolean> => {
  const { client, operation, network } = resumption.context;
  const half = { operationId: operation.id, purpose: purposeIn(resumption) };
  const found = await otherHalfOf(client.io, deploymentOfService(client.service), half, isSameTokenIn(network));
  if (!found?.isInDoubt) return found !== undefined;
  throw halfInDoubt(half.purpose, operation.id, found.operationId);
};

/**
 * Only the second of two has landed: it deposited the wallet's own money, and nothing was withdrawn. Building anything
 * more could deposit twice.
 */
const endOutOfOrder = async ({ context, reading }: Resumption): Promise<never> => {
  const { operation } = context;
  const [first, second] = reading.signed.map(({ hash }) => hash);
  await operation.record({ step: 'superseded', hash: second });
  throw new Failure('payment_failed', `of two transactions only the second has landed: ${second}`, {
    data: { landed: [second], hash: first, [WIRE_ID]: operation.id, live: false },
    hint: `The first, ${first}, never landed and cannot any more: nothing was taken out, and the wallet's own money was put in.`,
    next: nextStep('operation.show', 'yield', operation.id),
  });
};

/** The external bytes were never recorded; the user has them. */
const endEmpty = async ({ context: { operation } }: Resumption): Promise<never> => {
  await operation.record({ step: 'superseded', hash: undefined });
  throw new Failure('invalid_input', 'the signed transaction is not in the journal: nothing was sent', {
    data: { [WIRE_ID]: operation.id },
    hint: 'Its review was not completed. Nothing of it stays open.',
    next: nextStep('help', 'yield', 'broadcast'),
  });
};

/**
 * An operation as its journal shows it now. `isSuperseded`: a later one has done what is missing. `isIncomplete`: of two
 * relayed transactions one was recorded.
 */
type Known = Resumption & { readonly isSuperseded?: true; readonly isIncomplete?: true };

/** The next bytes of an operation that are approved and were not sent, or the step in their place. */
const restOf = async (known: Known): Promise<Situation<Known, ApprovedPart>> => {
  const { signed, landed } = known.reading;
  const part = signed[landed] as SignedPart;
  if (part.isDead) return { at: yieldIntentOf(known) ? 'missing' : 'over', known };
  if (await canLive(known.context, part)) return { at: 'approved', approved: { resumption: known, part } };
  await giveUp(known, part);
  return readSituation(known);
};

const readSituation = async (resumption: ResumptionStart): Promise<Situation<Known, ApprovedPart>> => {
  const known = { ...resumption, reading: progressOf(resumption.context.operation.state()) };
  const { signed, landed, landedParts, open } = known.reading;
  const isSent = doubtIn(known.reading)?.kind === 'sent';
  const isEnded = !isSent && ((signed.length > 0 && landed === signed.length) || landedParts.length > landed);
  if (isEnded) return { at: 'over', known };
  // The second of two that was sent and refused is not sent again if its half was done separately.
  const mayBeDone = landed > 0 && (!isSent || open?.isRefused === true);
  if (mayBeDone && (await wasDoneLater(known))) return { at: 'over', known: { ...known, isSuperseded: true } };
  if (isSent) return { at: 'sent', known };
  if (landed === 0 && yieldIntentOf(known)) return { at: 'start' };
  // All bytes are reviewed before the first is recorded: here the others are missing.
  const { reviewed } = known.context.operation.state();
  if (landed === 0 && reviewed.length > signed.length) return { at: 'over', known: { ...known, isIncomplete: true } };
  return signed.length > 0 ? restOf(known) : { at: 'over', known };
};

const report = async (known: Known): Promise<ResumedYield> => {
  const { signed, landed, landedParts } = known.reading;
  if (known.isSuperseded) return supersede(known);
  if (signed.length === 0 || known.isIncomplete) return endEmpty(known);
  if (landed === signed.length) return finish(known);
  return landedParts.length > landed ? endOutOfOrder(known) : endDead(known, signed[landed] as SignedPart);
};

/**
 * Determines the outcome of an operation and completes it. Asks a node or the service, sends approved bytes again, and
 * signs missing ones if the user confirms. Signs another transaction only if the first was never sent or can never
 * land. Throws `outcome_unknown` with the hash if that is unproven. Throws `not_final` while it waits for the user,
 * `payment_failed` for a failure on the chain.
 */
export const resumeYield = (resumption: ResumptionStart): Promise<ResumedYield> => {
  const { operation, gate } = resumption.context;
  return resumeOperation<Known, ApprovedPart, ResumedYield>({
    operation,
    read: () => readSituation(resumption),
    start: async () => {
      const intent = yieldIntentOf(resumption) as YieldIntent;
      return { kind: 'landed', operated: await startAgain(resumption, intent) };
    },
    settle,
    build: (known) => rebuildHalf(known, yieldIntentOf(known) as YieldIntent),
    report,
    approved: {
      confirm: confirmSending,
      review: gate && (({ resumption: known, part }) => laterReview(known.context, toReview(known, part))),
      explain: (error, { resumption: known, part }) => troubleWith(known, part, unsent(known, error)),
      send: sendApproved,
    },
  });
};
