import type { SignedSolana } from '../../chain/solana/sign.ts';
import { Failure } from '../../core/failure.ts';
import { shellQuote } from '../../core/shell.ts';
import type { YieldIntent } from '../../journal/yield-entry.ts';
import { recorded } from '../recorded.ts';
import { timed } from '../timed.ts';
import { asFailure } from '../unclear.ts';
import type { MovingContext } from './context.ts';
import type { Lifetime } from './lifetime.ts';
import { sendByNode } from './send-by-node.ts';
import { sendByService } from './send-by-service.ts';
import { isExpired, lookCommand } from './unclear.ts';

/** A signed transaction of an operation, the number of its part, and how long it can land. */
export type Sendable = { readonly signed: SignedSolana; readonly part: number; readonly lifetime: Lifetime };

/** A transaction that was refused for its old blockhash. */
export type Expired = { readonly sendable: Sendable; readonly failure: Failure };

const sendOne = async (context: MovingContext, intent: YieldIntent, sendable: Sendable): Promise<void> => {
  const { node } = context;
  const { signed, part, lifetime } = sendable;
  const { hash } = signed;
  const send = () => (node ? sendByNode(node, intent, signed, lifetime) : sendByService(context, intent, signed));
  const via = node ? 'node' : 'service';
  const [, took] = await timed(context, () =>
    recorded(context, { step: 'broadcasting', part, hash, via }, send, () => ({ step: 'landed', part, hash })),
  );
  await context.on({ kind: 'landed', hash, took });
};

/** The first of two has landed: whoever reads of the second must know where the money is now. */
const afterFirst = (failure: Failure, intent: YieldIntent, landed: Sendable, sendable: Sendable): Failure => {
  const { amount, asset, provider_out, provider_in } = intent;
  const where = `The first transaction, ${landed.signed.hash}, has landed: ${amount} ${asset} went from ${provider_out} to the wallet.`;
  const isOpen = failure.code === 'outcome_unknown';
  const rest = isOpen ? failure.details.hint : `They did not go on to ${provider_in}.`;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    data: { landed: [landed.signed.hash], hash: sendable.signed.hash },
    hint: `${where} ${rest ?? ''}`.trim(),
    next: isOpen ? lookCommand(intent) : `bursar yield deposit --provider ${shellQuote(provider_in ?? '')} …`,
  });
};

/**
 * Sends the transactions of an operation, each once and in their order: one that has not surely landed ends it.
 * Returns the first where it was refused as expired, for then nothing has moved; throws every other failure.
 */
export const sendInOrder = async (
  context: MovingContext,
  intent: YieldIntent,
  parts: readonly Sendable[],
): Promise<Expired | undefined> => {
  let landed: Sendable | undefined;
  for (const sendable of parts) {
    try {
      await sendOne(context, intent, sendable);
      landed = sendable;
    } catch (error) {
      const failure = asFailure(error);
      if (landed) throw afterFirst(failure, intent, landed, sendable);
      if (isExpired(failure)) return { sendable, failure };
      throw failure;
    }
  }
  return undefined;
};
