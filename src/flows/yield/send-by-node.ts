import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { type SolanaNode, submit } from '../../client/solana-rpc/node.ts';
import { BLOCKHASH_EXPIRED } from '../../contract/yield/shared.ts';
import { Failure } from '../../core/failure.ts';
import { asFailure } from '../read-back.ts';
import { hasExpired, waitForLanding } from './landing.ts';
import type { Lifetime } from './lifetime.ts';
import { failedOnChain, refusedLive, type Task, unknownOutcome } from './unclear.ts';

/** Throws for bytes that a node refuses: other nodes may still accept them. */
const submitOnce = async (node: SolanaNode, task: Task, { signed_transaction, hash }: SignedSolana): Promise<void> => {
  const submission = await submit(node, signed_transaction);
  switch (submission.kind) {
    case 'open':
      return;
    case 'unsent':
      throw new Failure('unavailable', `the node at ${node.origin} could not be reached: ${submission.why}`, {
        hint: 'Nothing was sent.',
        isUnsent: true,
      });
    case 'refused': {
      const why = `the node at ${node.origin} did not take the transaction: ${submission.why}`;
      const status = submission.isOld ? { status: BLOCKHASH_EXPIRED } : {};
      throw refusedLive(new Failure('rejected', why, status), task, hash, 'node');
    }
    default: {
      const never: never = submission;
      return never;
    }
  }
};

/**
 * Waits until a node shows that sent bytes have landed. Throws `payment_failed` for a failure on the chain, `rejected`
 * for expired bytes, and `outcome_unknown` at the deadline.
 */
export const assertLanded = async (
  node: SolanaNode,
  task: Task,
  hash: string,
  { blockhash, wasAlive }: Lifetime,
): Promise<void> => {
  const hasEnded = async () => wasAlive && (await hasExpired(node, blockhash));
  const landing = await waitForLanding(node, hash, hasEnded).catch((error: unknown) => {
    // The end of the wait does not stop the transaction.
    throw unknownOutcome(asFailure(error), task, hash);
  });
  switch (landing.kind) {
    case 'landed':
      return;
    case 'failed':
      throw failedOnChain(hash, landing.error, task);
    case 'over':
      throw new Failure('rejected', 'the transaction was not taken before its blockhash expired', {
        status: BLOCKHASH_EXPIRED,
      });
    case 'open': {
      const message = `the node at ${node.origin} has not shown the transaction`;
      throw unknownOutcome(new Failure('outcome_unknown', message), task, hash);
    }
    default: {
      const never: never = landing;
      return never;
    }
  }
};

/**
 * Sends signed bytes to the user's node, once, and waits until they land. Throws as `assertLanded`, `rejected` if the
 * node refuses, and `unavailable` if nothing was sent.
 */
export const sendByNode = async (
  node: SolanaNode,
  task: Task,
  signed: SignedSolana,
  lifetime: Lifetime,
): Promise<void> => {
  await submitOnce(node, task, signed);
  await assertLanded(node, task, signed.hash, lifetime);
};
