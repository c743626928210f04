import { parseSolana } from '../../../chain/solana/parse.ts';
import { isNoAnswer } from '../../../client/node.ts';
import { Failure, valueOn } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { WIRE_ID, WIRE_STEPS } from '../../../core/wire-names.ts';
import type { Doubt } from '../../../journal/doubt.ts';
import { partOf, type YieldIntent } from '../../../journal/intents.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { asFailure } from '../../read-back.ts';
import { inTurn, type MovingContext } from '../context.ts';
import { isAlive } from '../landing.ts';
import {
  type Finality,
  finalityOf,
  isSurelyDead,
  type Lifetime,
  landedElsewhere,
  lifetimeOf,
  SURELY_OVER_MS,
} from '../lifetime.ts';
import { hasMoved, readPositions } from '../positions.ts';
import { sendOne } from '../send.ts';
import { isExpired, isUnclear, namesOurs, unknownOutcome } from '../unclear.ts';

/** The outcome of sent bytes; a remaining doubt is thrown. */
export type SettledBytes = Exclude<Finality, { kind: 'open' }>;

/** Whether signed bytes may land: certainly dead bytes are not sent. */
export const canLive = async (
  { node, witness, client }: MovingContext,
  { signedAt, signed_transaction }: SignedPart,
) => {
  const isYoung = client.io.clock.now() - signedAt < SURELY_OVER_MS;
  if (witness === undefined) return isYoung;
  const { blockhash } = parseSolana(signed_transaction).message;
  // If the user's node does not respond, nothing is known; without a node, elapsed time decides.
  return isAlive(witness, blockhash).catch(valueOn(isNoAnswer, node === undefined && isYoung));
};

const stillOpen = ({ operation, witness }: MovingContext, { hash, at }: Doubt, hasExpired: boolean): Failure => {
  const sentAt = new Date(at).toISOString();
  const how = witness ? `the node at ${witness.origin}` : 'the service';
  const why = hasExpired ? 'Its time is over' : 'The transaction before it never landed';
  return new Failure('outcome_unknown', `the transaction ${hash} may have landed, and ${how} does not settle it yet`, {
    data: { hash, [WIRE_ID]: operation.id, live: true, state: WIRE_STEPS.sending.yield, sent_at: sentAt },
    hint: `Last known state: about to be sent at ${sentAt}. ${why}, so it is not sent. Another is signed only when a node (--rpc-url) shows that it never landed.`,
    next: nextStep('yield.resume.live', operation.id),
  });
};

/** Bytes in doubt, with what they are for; `undefined` for relayed bytes. */
type KnownDoubt = Doubt & { readonly intent: YieldIntent | undefined };

/** The service refused the bytes as already known, and the positions have changed accordingly. */
const hasLandedBy = async ({ client }: MovingContext, failure: Failure, doubt: KnownDoubt): Promise<boolean> => {
  const { intent, part, count, before, hash } = doubt;
  if (intent === undefined || !namesOurs(failure, hash)) return false;
  const done = partOf(intent, part, count);
  return hasMoved(done, before, await readPositions(client, done));
};

/** The failure after a second send of the same bytes. */
const afterResending = async (
  context: MovingContext,
  doubt: KnownDoubt,
  { lifetime, failure, isInDoubt }: { lifetime: Lifetime; failure: Failure; isInDoubt: boolean },
): Promise<SettledBytes> => {
  if (failure.code === 'interrupted') throw failure;
  if (isExpired(failure) && (await isSurelyDead(context, lifetime, doubt.hash))) return { kind: 'dead' };
  if (context.node === undefined && (await hasLandedBy(context, failure, doubt))) return { kind: 'landed' };
  const finality = await finalityOf(context.witness, doubt);
  if (finality.kind !== 'open') return finality;
  // The service refused it each time.
  if (!isInDoubt && !isUnclear(failure, doubt.hash) && !isExpired(failure)) throw failure;
  const task = { operationId: context.operation.id };
  throw failure.code === 'outcome_unknown' ? failure : unknownOutcome(failure, task, doubt.hash);
};

/** Bytes in doubt, and whether to send them again: the second of two only after the first landed. */
type BytesInDoubt = {
  readonly signed: SignedPart;
  readonly chain: string;
  readonly isInDoubt: boolean;
  readonly mayBeSent: boolean;
};

/**
 * Determines the outcome of possibly sent bytes. Sends them once more while they can land: the same signature cannot
 * land twice. Throws `outcome_unknown` with the hash if it stays unknown.
 */
export const settleSent = async (
  context: MovingContext,
  doubt: KnownDoubt,
  { signed, chain, isInDoubt, mayBeSent }: BytesInDoubt,
): Promise<SettledBytes> => {
  if (await landedElsewhere(context, doubt.hash)) return { kind: 'landed' };
  const finality = await finalityOf(context.witness, doubt);
  if (finality.kind !== 'open') return finality;
  if (!mayBeSent || !(await canLive(context, signed))) throw stillOpen(context, doubt, mayBeSent);
  const lifetime = await lifetimeOf(context, signed.signed_transaction);
  try {
    await inTurn(context, signed.from, async (held) => {
      await context.on({ kind: 'sends_again', hash: doubt.hash });
      return sendOne(held, chain, { signed, part: signed.part, lifetime });
    });
    return { kind: 'landed' };
  } catch (error) {
    return afterResending(context, doubt, { lifetime, failure: asFailure(error), isInDoubt });
  }
};
