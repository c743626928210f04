import { isDeepStrictEqual } from 'node:util';
import { parseSolana } from '../../chain/solana/parse.ts';
import { digestOfMessage } from '../../chain/solana/review.ts';
import type { SignedSolana } from '../../chain/solana/signatures.ts';
import type { Client } from '../../client/call.ts';
import { deploymentOfService } from '../../client/service.ts';
import type { NextStep } from '../../core/next.ts';
import { purposeOf, reviewOfBytes } from '../../journal/doubt.ts';
import type { Purpose } from '../../journal/intents.ts';
import type { Operation } from '../../journal/operation.ts';
import type { Statement } from '../../journal/statement.ts';
import { isTerminal } from '../../journal/status.ts';
import { notSent, sendingNothing } from '../policy/key-policy.ts';
import { type CallResult, withoutAnswer } from '../read-back.ts';
import { combine, YIELD_WORDS } from '../statement.ts';
import { inTurn, type MovingContext } from './context.ts';
import { assertFirst, assertNoneBeside } from './earlier.ts';
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

/**
 * The statement about all bytes together: that of this command, added to the earlier one of their signature. Two
 * transactions may have different statements: then no earlier one counts. Throws `invalid_input` with both values where
 * this command states another.
 */
export const withEarlierStatement = async (
  client: Client,
  all: readonly SignedElsewhere[],
  stated: Statement,
): Promise<Statement> => {
  const [first, ...others] = await Promise.all(all.map(({ signed }) => earlierReview(client, signed)));
  const isOfAll = others.every((each) => each !== undefined && isDeepStrictEqual(each.stated, first?.stated));
  return first && isOfAll ? combine(stated, { entered: first.stated }, YIELD_WORDS) : stated;
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
  const found = await Promise.all(all.map(({ signed }) => earlierReview(context.client, signed)));
  const before = found.flatMap((each) => each?.review ?? []);
  if (before.length === all.length) {
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
      const signed = all.map((each) => each.signed);
      const purpose = purposeOf(held.operation.state()) as Purpose;
      const hashes = signed.map(({ hash }) => hash);
      await assertNoneBeside(held, purpose, hashes);
      await approveAll(held, all);
      await assertFirst(held, purpose, hashes);
      return sendAll(held, chain, signed);
    }),
  );

const sendAll = async (context: MovingContext, chain: string, all: readonly SignedSolana[]): Promise<CallResult> => {
  const { client, oneByOne } = context;
  const [first, second] = all;
  if (first && second && !oneByOne) {
    // No positions were read before, so those after prove nothing.
    const hasMoved = async () => false;
    const sending = sendTogether({ ...context, hasMoved }, chain, [first, second]);
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
