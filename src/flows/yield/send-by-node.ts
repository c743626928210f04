import type { SignedSolana } from '../../chain/solana/sign.ts';
import { ask, mayHaveArrived, type NodeError, type SolanaNode } from '../../client/solana-node.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import type { YieldIntent } from '../../journal/yield-entry.ts';
import { isOver, waitForLanding } from './landing.ts';
import type { Lifetime } from './lifetime.ts';
import { asFailure, EXPIRED, failedOnChain, unknownOutcome } from './unclear.ts';

/** What a node says of bytes that it has certainly not passed on: wrong parameters, a failed trial, a bad signature. */
const REFUSALS: readonly number[] = [-32602, -32002, -32003];

const causeIn = ({ data }: NodeError): unknown => (data as { err?: unknown } | undefined)?.err;

/** Throws `rejected` where a node has not passed the bytes on; returns where they may be under way. */
const judge = (error: NodeError, { hash }: SignedSolana): void => {
  const cause = causeIn(error);
  const isKnown = cause === 'AlreadyProcessed' || /already been processed/i.test(error.message);
  if (isKnown || !REFUSALS.includes(error.code)) return;
  const isOld = cause === 'BlockhashNotFound' || /blockhash not found/i.test(error.message);
  throw new Failure('rejected', `the node did not take the transaction: ${error.message}`, {
    ...(isOld && { status: EXPIRED }),
    data: { hash },
    hint: 'Nothing was sent on.',
  });
};

const submit = async (node: SolanaNode, signed: SignedSolana): Promise<void> => {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  try {
    const answer = await ask(node, 'sendTransaction', [signed.signed_transaction, options]);
    if ('error' in answer) judge(answer.error, signed);
  } catch (error) {
    // A lost answer says nothing: the chain does.
    if (!isFailure(error, 'unavailable') || !mayHaveArrived(error)) throw error;
  }
};

/**
 * Sends signed bytes to the user's own node, once, and waits until the chain has them. Throws `payment_failed` for a
 * transaction that failed there, `rejected` for one that the node refused, and `outcome_unknown` when the time ends.
 */
export const sendByNode = async (
  node: SolanaNode,
  intent: YieldIntent,
  signed: SignedSolana,
  { blockhash, wasAlive }: Lifetime,
): Promise<void> => {
  await submit(node, signed);
  const hasEnded = async () => wasAlive && (await isOver(node, blockhash));
  const landing = await waitForLanding(node, signed.hash, hasEnded).catch((error: unknown) => {
    // Whoever stops waiting has not stopped the transaction.
    throw unknownOutcome(asFailure(error), intent, signed.hash);
  });
  switch (landing.kind) {
    case 'landed':
      return;
    case 'failed':
      throw failedOnChain(signed.hash, landing.error, intent);
    case 'over':
      throw new Failure('rejected', 'the transaction was not taken before its blockhash expired', { status: EXPIRED });
    case 'open':
      throw unknownOutcome(
        new Failure('outcome_unknown', `the node ${node.origin} has not shown it`),
        intent,
        signed.hash,
      );
    default: {
      const never: never = landing;
      return never;
    }
  }
};
