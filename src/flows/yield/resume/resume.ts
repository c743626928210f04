import { isSameToken } from '../../../chain/solana/network.ts';
import { parseSolana } from '../../../chain/solana/parse.ts';
import { reviewSolana, type SolanaReview } from '../../../chain/solana/review.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID } from '../../../core/wire-names.ts';
import type { YieldIntent } from '../../../journal/intents.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { type Doubt, doubtIn, type IsSameToken, otherHalfOf } from '../../../journal/yield-doubt.ts';
import { progressOf } from '../../../journal/yield-progress.ts';
import { deploymentOfService } from '../../deployment.ts';
import { halfInDoubt } from '../left-open.ts';
import { askedOf } from '../request.ts';
import { type Operated, reportPositions } from '../run.ts';
import { failedOnChain } from '../unclear.ts';
import { type Resumption, yieldIntentOf } from './resumption.ts';
import { settleSent } from './settle.ts';
import { rebuildHalf, sendApproved, startAgain } from './unsent.ts';

/** How an operation ended: it landed, or what it lacked was done by a later one. */
export type Resumed =
  | { readonly kind: 'landed'; readonly operated: Operated }
  | { readonly kind: 'superseded'; readonly hashes: readonly string[] };

/** What signed bytes do, told after they landed: nothing is decided by it. */
const reviewsOf = ({ context, reading }: Resumption, intent: YieldIntent): readonly SolanaReview[] => {
  const { network, overrides } = context;
  try {
    const asked = askedOf(intent, reading.signed.length, []);
    return reading.signed.map(({ signed_transaction, from }, at) =>
      reviewSolana({
        unsigned: parseSolana(signed_transaction),
        network,
        requested: asked[at],
        signer: from,
        overrides,
        facts: undefined,
        policy: undefined,
      }),
    );
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
};

const finish = async (resumption: Resumption): Promise<Resumed> => {
  const { context, reading } = resumption;
  const intent = yieldIntentOf(resumption);
  const hashes = reading.signed.map(({ hash }) => hash);
  const [reviews, after] = intent ? [reviewsOf(resumption, intent), await reportPositions(context, intent)] : [[], []];
  return { kind: 'landed', operated: { hashes, reviews, before: reading.beforeAll, after } };
};

const resumeAgain = (resumption: Resumption): Promise<Resumed> =>
  resumeYield({ ...resumption, reading: progressOf(resumption.context.operation.state()) });

/** It did nothing but cost its fee. Of two, the first has landed all the same, and the other half can be done again. */
const endFailed = async (resumption: Resumption, { hash }: Doubt, why: string): Promise<Resumed> => {
  const { context, reading } = resumption;
  const { operation } = context;
  await operation.record({ step: 'dead', hash });
  // Of two that were sent together the second may land yet, or have landed.
  if (reading.handed.length > 1) return resumeAgain(resumption);
  await operation.record({ step: 'failed', code: 'payment_failed', status: undefined, is_unknown: false });
  if (reading.landed > 0 && yieldIntentOf(resumption)) return resumeAgain(resumption);
  throw failedOnChain(hash, why, { operationId: operation.id });
};

const settle = async (resumption: Resumption, doubt: Doubt): Promise<Resumed> => {
  const { context, intent, reading } = resumption;
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
      return resumeAgain(resumption);
    case 'failed':
      return endFailed(resumption, doubt, settled.error);
    case 'dead':
      await operation.record({ step: 'dead', hash });
      await on({ kind: 'earlier_dead', hash });
      return resumeAgain(resumption);
    default: {
      const never: never = settled;
      return never;
    }
  }
};

/** Bytes of others cannot be made anew. */
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

const sendRest = async (resumption: Resumption): Promise<Resumed> => {
  const { reading } = resumption;
  const { signed, landed } = reading;
  const next = signed[landed] as SignedPart;
  const intent = yieldIntentOf(resumption);
  if (!next.isDead) await sendApproved(resumption, next);
  else if (intent) await rebuildHalf(resumption, intent);
  else await endDead(resumption, next);
  return resumeAgain(resumption);
};

const supersede = async ({ context, reading }: Resumption): Promise<Resumed> => {
  const hashes = reading.signed.slice(0, reading.landed).map(({ hash }) => hash);
  await context.operation.record({ step: 'superseded', hash: hashes.at(-1) });
  return { kind: 'superseded', hashes };
};

/** Of two the first has landed. Whether the other half was done by hand meanwhile; in doubt it would be done twice. */
const wasDoneLater = async (resumption: Resumption): Promise<boolean> => {
  const { client, operation, network } = resumption.context;
  const intent = yieldIntentOf(resumption);
  const half = intent && { operationId: operation.id, intent };
  const isSame: IsSameToken = (one, other) => isSameToken(network, one, other);
  const found = half && (await otherHalfOf(client.io, deploymentOfService(client.service), half, isSame));
  if (!found?.isInDoubt) return found !== undefined;
  throw halfInDoubt(intent as YieldIntent, operation.id, found.operationId);
};

const finishHalf = async (resumption: Resumption): Promise<Resumed> =>
  (await wasDoneLater(resumption)) ? supersede(resumption) : sendRest(resumption);

/** The second of two was handed over, and refused: it is not sent once more where its half was done by hand. */
const settleUnlessDone = async (resumption: Resumption, doubt: Doubt): Promise<Resumed> => {
  const { landed, open } = resumption.reading;
  const isDone = landed > 0 && open?.isRefused === true && (await wasDoneLater(resumption));
  return isDone ? supersede(resumption) : settle(resumption, doubt);
};

/**
 * Of two that were sent together only the second has landed: it deposited what the wallet had, and nothing was taken out.
 * To build anything for it could deposit twice.
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

/** The bytes of others were never written down: the user has them. */
const endEmpty = async ({ context: { operation } }: Resumption): Promise<never> => {
  await operation.record({ step: 'superseded', hash: undefined });
  throw new Failure('invalid_input', 'the signed transaction is not in the journal: nothing was sent', {
    data: { [WIRE_ID]: operation.id },
    hint: 'It was not reviewed to the end. Nothing of it stays open.',
    next: nextStep('help', 'yield', 'broadcast'),
  });
};

/** Nothing was sent. */
const begin = async (resumption: Resumption): Promise<Resumed> => {
  const intent = yieldIntentOf(resumption);
  if (intent) return { kind: 'landed', operated: await startAgain(resumption, intent) };
  return resumption.reading.signed.length > 0 ? sendRest(resumption) : endEmpty(resumption);
};

/**
 * Finds out what became of an operation and brings it to its end: asks the node or the service, sends approved bytes
 * again while they can land, and, with the user's word, signs what is missing. Another transaction is signed only when
 * the one before is shown to be dead, or was never sent. Throws `outcome_unknown` with the hash where that cannot be
 * shown, `not_final` where it waits for the user's word, `payment_failed` for one that failed on the chain.
 */
export const resumeYield = async (resumption: Resumption): Promise<Resumed> => {
  const { reading } = resumption;
  const { signed, landed } = reading;
  const doubt = doubtIn(reading);
  if (doubt?.kind === 'sent') return settleUnlessDone(resumption, { ...doubt, intent: yieldIntentOf(resumption) });
  if (signed.length > 0 && landed === signed.length) return finish(resumption);
  if (reading.landedParts.length > landed) return endOutOfOrder(resumption);
  return landed > 0 ? finishHalf(resumption) : begin(resumption);
};
