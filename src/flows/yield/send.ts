import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { type Client, call, dataOf, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { type SolanaNode, submit } from '../../client/solana-rpc.ts';
import { broadcast } from '../../contract/yield/broadcast.ts';
import { BLOCKHASH_EXPIRED } from '../../contract/yield/shared.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { isJsonObject, printJson } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { asFailure, isForeignLimit, recorded, timed } from '../read-back.ts';
import type { MovingContext } from './context.ts';
import { hasExpired, waitForLanding } from './landing.ts';
import type { Lifetime } from './lifetime.ts';
import {
  failedOnChain,
  isExpired,
  isUnclear,
  limitedOutcome,
  refusedLive,
  type Task,
  unknownOutcome,
} from './unclear.ts';

/** Document, POST /yield/broadcast: 1 means success on Solana. Any other leaves the outcome open. */
export const SUCCEEDED = 1;

/** The status of a successful broadcast. */
export const LANDED = 'broadcast_operation_yield_strategy_ok';

/** Sends bytes by one call. Throws `outcome_unknown` for a response that is not about `hashes`, which were `sent`. */
export const relay = async (client: Client, input: Input, hashes: readonly string[], sent: string) => {
  const envelope = await call(client, broadcast, input);
  const { status, transactionHash: named } = dataOf(broadcast, LANDED, envelope);
  if (status !== SUCCEEDED) {
    throw new Failure('outcome_unknown', `the broadcast answered with status ${printJson(status)}, not 1`);
  }
  // Each hash is known before sending: a response with another hash is not about these bytes.
  if (!named || hashes.includes(named)) return { envelope, named: named ?? undefined };
  throw new Failure('outcome_unknown', `the service answered with the hash ${inSentence(named)}, ${sent}`);
};

/** Sends signed bytes through the service, once. Throws `outcome_unknown` if the response does not show the outcome. */
const sendByService = async (client: Client, task: Task, signed: SignedSolana): Promise<Envelope> => {
  const { hash, signed_transaction } = signed;
  const input = { chain_name: task.chain, op_signed: signed_transaction };
  try {
    return (await relay(client, input, [hash], `and ${hash} was sent`)).envelope;
  } catch (error) {
    const failure = asFailure(error);
    if (isForeignLimit(failure)) throw limitedOutcome(failure, task, hash);
    if (isUnclear(failure, hash)) throw unknownOutcome(failure, task, hash);
    throw failure.details.isUnsent ? failure : refusedLive(failure, task, hash);
  }
};

/** Throws for bytes that a node refuses: other nodes may still accept them. */
const submitOnce = async (node: SolanaNode, task: Task, { signed_transaction, hash }: SignedSolana) => {
  const submission = await submit(node, signed_transaction);
  switch (submission.kind) {
    case 'open':
      return undefined;
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
    default:
      return submission satisfies never;
  }
};

/**
 * Waits until a node shows that sent bytes have landed. Throws `payment_failed` for a failure on the chain, `rejected`
 * for expired bytes, and `outcome_unknown` at the deadline.
 */
const assertLanded = async (
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
    default:
      return landing satisfies never;
  }
};

/** A signed transaction, its part number, and the lifetime of its blockhash. */
export type Sendable = { readonly signed: SignedSolana; readonly part: number; readonly lifetime: Lifetime };

/** A transaction refused for an expired blockhash. */
export type ExpiredTransaction = { readonly sendable: Sendable; readonly failure: Failure };

const isShownDead = ({ details: { data } }: Failure): boolean => isJsonObject(data) && data['live'] === false;

/**
 * Sends one transaction, once, by the user's node or the service. The journal has its hash before the call and its
 * outcome after. Returns the service's response, if it sent. If a node is known, it decides whether the transaction
 * landed. Throws as `sendByService` and `assertLanded`, `rejected` if the node refuses, and `unavailable` if nothing
 * was sent.
 */
export const sendOne = async (
  context: MovingContext,
  chain: string,
  sendable: Sendable,
): Promise<Envelope | undefined> => {
  const { client, operation, node, witness } = context;
  const { signed, part, lifetime } = sendable;
  const { hash } = signed;
  const task = { chain, kind: client.service.kind, operationId: operation.id };
  const send = async () => {
    await context.gate?.assertDayStill(operation, [hash]);
    const envelope = node ? await submitOnce(node, task, signed) : await sendByService(client, task, signed);
    const decider = node ?? witness;
    if (decider) await assertLanded(decider, task, hash, lifetime);
    return envelope;
  };
  const via = node ? 'node' : 'service';
  const sending = timed(context, () =>
    recorded(context, { step: 'sending', part, hash, via }, send, () => ({ step: 'landed', part, hash })),
  );
  const [envelope, took] = await client.io.spin('Sending the transaction', sending).catch(async (error: unknown) => {
    // The node, not the service, shows the failure on the chain: it can never land.
    if (isFailure(error, 'payment_failed') && isShownDead(error)) {
      await operation.note({ step: 'dead', hash });
      await operation.note({ step: 'failed', code: error.code, status: undefined, is_unknown: false });
    }
    throw error;
  });
  await context.on({ kind: 'landed', hash, took });
  return envelope;
};

/** The first of two has landed: the failure of the second must state where the money is. */
export const afterFirst = (
  failure: Failure,
  intent: YieldIntent,
  { first, second, operationId }: { readonly first: string; readonly second: string; readonly operationId: string },
): Failure => {
  const { amount, asset, provider_out, provider_in } = intent;
  const where = `The first transaction, ${first}, has landed: ${amount} ${asset} went from ${provider_out} to the wallet.`;
  const { data, isUnsent, hint } = failure.details;
  const isDead = isUnsent || (isJsonObject(data) && data['live'] === false);
  const rest = isDead ? `They did not go on to ${provider_in}.` : hint;
  const details = {
    data: { landed: [first], hash: second, [WIRE_ID]: operationId, live: !isDead },
    hint: `${where} ${rest ?? ''}`.trim(),
    next: nextStep('yield.resume.half', operationId),
  };
  // A script repeats what was not available. Here that would withdraw once more.
  return withDetails(failure, details, isUnsent ? 'outcome_unknown' : failure.code);
};

/**
 * Sends the transactions of an operation in order, each once, until one has not certainly landed. Returns the first if
 * it was refused as expired: a node may prove it dead. Throws every other failure.
 */
export const sendInOrder = async (
  context: MovingContext,
  intent: YieldIntent,
  parts: readonly Sendable[],
): Promise<ExpiredTransaction | undefined> => {
  let landed: Sendable | undefined;
  for (const sendable of parts) {
    try {
      await sendOne(context, intent.chain, sendable);
      landed = sendable;
    } catch (error) {
      const failure = asFailure(error);
      const [first, second] = [landed?.signed.hash, sendable.signed.hash];
      if (first) throw afterFirst(failure, intent, { first, second, operationId: context.operation.id });
      if (isExpired(failure)) return { sendable, failure };
      throw failure;
    }
  }
  return undefined;
};
