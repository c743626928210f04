import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import type { Client } from '../../client/call.ts';
import { deploymentOfService } from '../../client/envelope.ts';
import { isFailure, valueOn } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import { reviewOfBytes } from '../../journal/doubt.ts';
import type { ReviewEvent } from '../../journal/event.ts';
import { hashKey } from '../../journal/keys.ts';
import { statesUnder } from '../../journal/look-up.ts';
import { type Operation, recordLater } from '../../journal/operation.ts';
import { isTerminal } from '../../journal/status.ts';
import { progressOf } from '../../journal/yield-progress.ts';
import { notSent, sendingNothing } from '../policy/key-policy.ts';
import { type CallResult, withoutAnswer } from '../read-back.ts';
import { inTurn, type MovingContext } from './context.ts';
import { lifetimeOf } from './lifetime.ts';
import { assertAsStated, recordAgain, reviewSigned } from './review-signed.ts';
import { sendOne } from './send.ts';
import { sendTogether } from './send-together.ts';
import type { ToReview } from './sign.ts';

/** An externally signed transaction, and the user's statement about it. */
export type SignedElsewhere = Omit<ToReview, 'transaction'> & { readonly signed: SignedSolana };

type Bytes = Pick<SignedSolana, 'hash' | 'signed_transaction'>;

const earlierReview = ({ io, service }: Client, { hash, signed_transaction }: Bytes) =>
  reviewOfBytes(io, deploymentOfService(service), { hash, digest: digestOfMessage(parseSolana(signed_transaction)) });

/** Whether this machine has reviewed these bytes: then their statement need not be repeated. */
export const wasReviewed = async (client: Client, bytes: Bytes): Promise<boolean> =>
  (await earlierReview(client, bytes)) !== undefined;

/** The earlier reviews of all transactions; `undefined` if one has none. */
const reviewsBefore = async (context: MovingContext, all: readonly SignedElsewhere[]) => {
  const found: ReviewEvent[] = [];
  for (const { signed } of all) {
    const review = await earlierReview(context.client, signed);
    if (review === undefined) return undefined;
    found.push(review);
  }
  return found;
};

/** The user has the bytes: a failure before recording leaves nothing open. */
const leavingNothing = async <T>(operation: Operation, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const state = operation.state();
    if (!isTerminal(state) && state.signed.length === 0) await operation.note({ step: 'superseded', hash: undefined });
    throw error;
  }
};

/** Reviews unknown bytes, asks the user, and records them. */
const approveAll = async (context: MovingContext, all: readonly SignedElsewhere[]): Promise<void> => {
  const toReview = all.map((each) => ({ ...each, transaction: each.signed.signed_transaction }));
  const before = await reviewsBefore(context, all);
  if (before) {
    const reviewed = toReview.map((each, at) => ({ ...each, moves: before[at]?.moves }));
    const doubts = await sendingNothing(() => assertAsStated(context, reviewed));
    if (!(await context.approve(doubts))) throw notSent();
    // Unsent bytes were freed from daily limits: now they count again.
    await recordAgain(context, before, all[0]?.signed.from ?? '');
  } else {
    await reviewSigned(context, context.client.io, toReview);
  }
  for (const [at, { signed }] of all.entries()) {
    await context.operation.record({ step: 'signed', part: at + 1, ...signed });
  }
};

/** Other operations that may have sent the same bytes are no longer in doubt; they end if nothing of them is left. */
const endOthers = async ({ client: { io }, operation }: MovingContext, hash: string): Promise<void> => {
  for await (const other of statesUnder(io, [hashKey(hash)], () => undefined)) {
    const sent = other.signed.find((each) => each.hash === hash && each.sent === 'maybe');
    if (other.id === operation.id || sent === undefined || isTerminal(other)) continue;
    const { signed, landedParts } = progressOf(other);
    const isWhole = signed.every(({ part }) => part === sent.part || landedParts.includes(part));
    const end = isWhole ? [{ step: 'settled', positions: [] } as const] : [];
    // Nothing may hide that these bytes have landed.
    const recording = recordLater(io, other.id, { step: 'landed', part: sent.part, hash }, ...end);
    await recording.catch(valueOn(isFailure, undefined));
  }
};

/**
 * Sends externally signed bytes, each once, and returns the last response or the node's result. All are reviewed and
 * recorded before the first is sent, each hash before its call. Two are sent by one call, or in order until one has
 * not certainly landed. `next` is the command if the wallet's turn does not come. Throws as `reviewSigned`,
 * `sendByService` and `sendTogether`.
 */
export const relay = (
  context: MovingContext & { readonly next: NextStep },
  chain: string,
  all: readonly SignedElsewhere[],
): Promise<CallResult> =>
  leavingNothing(context.operation, () =>
    inTurn(context, all[0]?.signed.from ?? '', async (held) => {
      await approveAll(held, all);
      const signed = all.map((each) => each.signed);
      const result = await sendAll(held, chain, signed);
      for (const { hash } of signed) await endOthers(held, hash);
      return result;
    }),
  );

const sendAll = async (context: MovingContext, chain: string, all: readonly SignedSolana[]): Promise<CallResult> => {
  const { client, operation, witness, oneByOne } = context;
  const [first, second] = all;
  if (first && second && !oneByOne) {
    // The purpose of these bytes is unknown, so positions prove nothing.
    const hasMoved = async () => false;
    const sending = sendTogether({ client, operation, witness, hasMoved }, chain, [first, second]);
    return client.io.spin('Sending both transactions', sending);
  }
  let last: CallResult | undefined;
  for (const [at, signed] of all.entries()) {
    const lifetime = await lifetimeOf(context, signed.signed_transaction);
    // The service sends them, and a node only shows whether they landed.
    last = await sendOne({ ...context, node: undefined }, chain, { signed, part: at + 1, lifetime });
  }
  return last ?? withoutAnswer('unchanged', 'nothing_to_send', null);
};
