import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { recorded } from '../recorded.ts';
import { timed } from '../timed.ts';
import { asFailure } from '../unclear.ts';
import type { MovingContext } from './context.ts';
import type { Lifetime } from './lifetime.ts';
import { assertLanded, sendByNode } from './send-by-node.ts';
import { sendByService } from './send-by-service.ts';
import { isExpired } from './unclear.ts';

/** A signed transaction of an operation, the number of its part, and how long it can land. */
export type Sendable = { readonly signed: SignedSolana; readonly part: number; readonly lifetime: Lifetime };

/** A transaction that was refused for its old blockhash. */
export type Expired = { readonly sendable: Sendable; readonly failure: Failure };

const isShownDead = ({ details: { data } }: Failure): boolean => isJsonObject(data) && data['live'] === false;

/**
 * Sends one transaction, once, by the user's node or the service: the journal has its hash before, and its end after.
 * Where the service sends and a node is known, it has landed when the node shows it.
 * Throws as `sendByNode` and `sendByService`.
 */
export const sendOne = async (context: MovingContext, chain: string, sendable: Sendable): Promise<void> => {
  const { client, operation, node, witness } = context;
  const { signed, part, lifetime } = sendable;
  const { hash } = signed;
  const task = { chain, kind: client.service.kind, operationId: operation.id };
  const send = async () => {
    if (node) return sendByNode(node, task, signed, lifetime);
    await sendByService(client, task, signed);
    if (witness) await assertLanded(witness, task, hash, lifetime);
  };
  const via = node ? 'node' : 'service';
  const sending = timed(context, () =>
    recorded(context, { step: 'sending', part, hash, via }, send, () => ({ step: 'landed', part, hash })),
  );
  const [, took] = await client.io.spin('Sending the transaction', sending).catch(async (error: unknown) => {
    // That it failed on the chain is what the node shows, and no word of the service: it can never land.
    if (isFailure(error, 'payment_failed') && isShownDead(error)) {
      await operation.note({ step: 'dead', hash });
      await operation.note({ step: 'failed', code: error.code, status: undefined, is_unknown: false });
    }
    throw error;
  });
  await context.on({ kind: 'landed', hash, took });
};

/** The first of two has landed: whoever reads of the second must know where the money is now. */
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
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { landed: [first], hash: second, [WIRE_ID]: operationId, live: !isDead },
    hint: `${where} ${rest ?? ''}`.trim(),
    next: nextStep('yield.resume.half', operationId),
  });
};

/**
 * Sends the transactions of an operation, each once and in their order: one that has not surely landed ends it.
 * Returns the first where it was refused as expired, for a node may show that it is dead; throws every other failure.
 */
export const sendInOrder = async (
  context: MovingContext,
  intent: YieldIntent,
  parts: readonly Sendable[],
): Promise<Expired | undefined> => {
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
