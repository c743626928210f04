import type { SignedSolana } from '../../chain/solana/signatures.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { asFailure, recorded, timed } from '../read-back.ts';
import type { MovingContext } from './context.ts';
import type { Lifetime } from './lifetime.ts';
import { assertLanded, sendByNode } from './send-by-node.ts';
import { sendByService } from './send-by-service.ts';
import { isExpired } from './unclear.ts';

/** A signed transaction, its part number, and the lifetime of its blockhash. */
export type Sendable = { readonly signed: SignedSolana; readonly part: number; readonly lifetime: Lifetime };

/** A transaction refused for an expired blockhash. */
export type ExpiredTransaction = { readonly sendable: Sendable; readonly failure: Failure };

const isShownDead = ({ details: { data } }: Failure): boolean => isJsonObject(data) && data['live'] === false;

/**
 * Sends one transaction, once, by the user's node or the service. The journal has its hash before the call and its
 * outcome after. If the service sends and a node is known, the node decides whether it landed. Throws as `sendByNode`
 * and `sendByService`.
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
    // The node, not the service, shows the failure on the chain: it can never land.
    if (isFailure(error, 'payment_failed') && isShownDead(error)) {
      await operation.note({ step: 'dead', hash });
      await operation.note({ step: 'failed', code: error.code, status: undefined, is_unknown: false });
    }
    throw error;
  });
  await context.on({ kind: 'landed', hash, took });
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
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { landed: [first], hash: second, [WIRE_ID]: operationId, live: !isDead },
    hint: `${where} ${rest ?? ''}`.trim(),
    next: nextStep('yield.resume.half', operationId),
  });
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
