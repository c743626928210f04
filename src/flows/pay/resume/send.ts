import { chainAndNonceOf } from '../../../chain/evm/transaction.ts';
import { receiptOf } from '../../../client/node.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { isUninterrupted, valueOn } from '../../../core/failure.ts';
import { paidByThese } from '../../../journal/doubt.ts';
import { mayBeSent, type SignedPart } from '../../../journal/operation-state.ts';
import { finalityOf } from '../../node/finality.ts';
import { openingKey } from '../../turn.ts';
import type { PayContext } from '../context.ts';
import { executePayment } from '../execute.ts';
import { inTurn, nonceUsedBy, nonceUsedSince, type Place } from '../nonce.ts';
import { createTransaction } from '../prepare.ts';
import { executeAndWait, waitForEnd } from '../run.ts';
import { reviewAndSign, reviewSigned } from '../sign.ts';
import { expectedOf, type PaymentState } from '../status.ts';
import { giveUp, keyOf, type PaymentResult, type Resumption } from './resumption.ts';

/** Sends the same bytes, for the first time or again: they cannot pay twice. */
export const sendAgain = (context: PayContext, { state, intent }: Resumption, part: SignedPart) =>
  inTurn(context, intent, async (held) => {
    if (mayBeSent(part)) await context.on({ kind: 'sends_again', hash: part.hash });
    return executePayment(held, state.payment_id ?? '', part);
  });

/** The end of a payment whose bytes the service accepted. */
export const afterSending = async (context: PayContext, { state: { payment_id: id = '' } }: Resumption, hash: string) =>
  ({ payment_id: id, hash, ...(await waitForEnd(context, id, hash)) }) satisfies PaymentResult;

const isSpent = ({ operation }: PayContext): boolean => operation.state().signed.some(({ isDead }) => isDead);

/** Externally signed bytes that are approved now. */
const sendGiven = (context: PayContext, { intent }: Resumption, payment: PaymentState, hex: string) => {
  const unsigned = { cryptoTx: payment['unsigned_tx'], expected: expectedOf(intent, context.stating) };
  return executeAndWait(context, payment.id, intent, (held) => reviewSigned(held, payment.id, unsigned, hex));
};

/** A new transaction of the service: reviewed, signed and sent. */
const sendNext = (context: PayContext, resumption: Resumption, payment: PaymentState): Promise<PaymentResult> => {
  const { intent, inputs } = resumption;
  const withKey = keyOf(resumption, `payment ${payment.id} is ${payment.status}`);
  return withKey((key) =>
    executeAndWait(openingKey(context, key), payment.id, intent, async (held) => {
      const cryptoTx = inputs.transaction
        ? await createTransaction(held, payment.id, inputs.transaction)
        : payment['unsigned_tx'];
      return reviewAndSign(held, payment.id, { cryptoTx, expected: expectedOf(intent, context.stating) }, key);
    }),
  );
};

/** The transaction that used the nonce of dead bytes: one of this machine that the node shows on the chain. */
const userOfNonce = async ({ client, node }: PayContext, { state }: Resumption, place: Place) => {
  const { io, service } = client;
  const paymentId = state.payment_id ?? '';
  const hash =
    (await nonceUsedBy(io, place, paymentId, deploymentOfService(service))) ??
    (await nonceUsedSince(io, place, paymentId, Date.parse(state.started_at)));
  const isOnChain = hash !== undefined && node !== undefined && (await receiptOf(node, hash)) !== undefined;
  return isOnChain ? hash : undefined;
};

/** Reports why the newest dead transaction cannot pay. A failed look-up only leaves out the report. */
const reportDead = async (context: PayContext, resumption: Resumption): Promise<void> => {
  const { operation, node, client } = context;
  const state = operation.state();
  const part = state.signed.findLast(({ isDead }) => isDead);
  if (part === undefined) return;
  const { hash, from } = part;
  const place = { ...chainAndNonceOf(part.signed_transaction), from };
  const hasPaidOther = (await paidByThese(client.io, state, hash)) !== undefined;
  const finality = hasPaidOther ? 'dead' : await finalityOf(node, { ...part, begunAt: Date.parse(state.started_at) });
  const why = hasPaidOther ? 'paid_other' : finality === 'reverted' ? 'reverted' : 'nonce_used';
  const used_by = why === 'nonce_used' ? await userOfNonce(context, resumption, place) : undefined;
  await context.on({ kind: 'cannot_land', hash, why, nonce: place.nonce, used_by });
};

/** Reviews the new transaction, signs it or uses externally signed bytes, and sends it. */
export const signAnew = async (context: PayContext, resumption: Resumption, payment: PaymentState) => {
  const { signed_transaction: hex, transaction } = resumption.inputs;
  keyOf(resumption, `payment ${payment.id} is ${payment.status}`);
  // Dead external bytes are not sent again, and their nonce is used: the user must supply new ones.
  const cannotGoOn = hex ? isSpent(context) : !transaction && (isSpent(context) || !payment['unsigned_tx']);
  if (cannotGoOn) return giveUp(context, resumption);
  await reportDead(context, resumption).catch(valueOn(isUninterrupted, undefined));
  return hex ? sendGiven(context, resumption, payment, hex) : sendNext(context, resumption, payment);
};
