import { type Approved, approve } from '../../chain/evm/approve.ts';
import { ALLOW_BLIND, allowRecipient, type Expected } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, reviewEvm } from '../../chain/evm/review.ts';
import { type SignedEvm, signEvm } from '../../chain/evm/sign.ts';
import { readSigned } from '../../chain/evm/signed.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { sentBefore } from '../../journal/doubt.ts';
import { readFacts } from '../node/read-facts.ts';
import { timed } from '../timed.ts';
import type { OpenKey, PayContext } from './context.ts';
import { nonceUsedBy } from './nonce.ts';

/** What a review needs of the world. */
export type Reviewing = Pick<PayContext, 'network' | 'overrides' | 'node' | 'approve' | 'on'>;

/** The payer's transaction of a payment: as the service gave it, and what it must do. */
export type Unsigned = { readonly cryptoTx: unknown; readonly expected: Expected };

/** Signed bytes with the hash by which the chain will know them, and the review of what they do. */
export type Reviewed = { readonly review: Review; readonly signed: SignedEvm };

type Passed = { readonly review: Review; readonly approved: Approved };

/** Finds the hash of another transaction with the same nonce that may have been sent. */
type FindUsed = (unsigned: UnsignedEvm) => Promise<string | undefined>;

/**
 * Reviews, shows and asks. Throws `refused_by_review` when the review contradicts what was asked or the user
 * says no; as the node does where it cannot be asked.
 */
const passReview = async (
  reviewing: Reviewing,
  { cryptoTx, expected }: Unsigned,
  signer: string,
  findUsed?: FindUsed,
): Promise<Passed> => {
  const { network, overrides } = reviewing;
  const unsigned = parseCryptoTx(cryptoTx);
  const node = reviewing.node && (await readFacts(reviewing.node, unsigned, network));
  const usedBy = await findUsed?.(unsigned);
  const review = reviewEvm({ unsigned, network, expected, signer, overrides, node, nonceUsedBy: usedBy });
  await reviewing.on({ kind: 'reviewed', review });
  if (review.verdict !== 'refused' && !(await reviewing.approve(review))) {
    throw new Failure('refused_by_review', 'not approved; nothing was signed or sent');
  }
  return { review, approved: approve(review, 'user_said_yes') };
};

/** The same, for a payment that is recorded: the journal keeps a refusal too. */
const passRecorded = async (
  context: PayContext,
  paymentId: string,
  unsigned: Unsigned,
  signer: string,
): Promise<Passed> => {
  const findUsed: FindUsed = (fields) => nonceUsedBy(context.client.io, fields, paymentId);
  try {
    return await passReview(context, unsigned, signer, findUsed);
  } catch (error) {
    if (isFailure(error, 'refused_by_review')) {
      const { message, details } = error;
      const checks = (details.errors ?? []).map(({ field, message: says }) => ({ field, message: says }));
      await context.movement.note({ step: 'refused', payment_id: paymentId, message, checks });
    }
    throw error;
  }
};

/** Reviews a transaction and signs it: those same bytes, and nothing else. Nothing is recorded or sent. */
export const signOnly = async (reviewing: Reviewing, unsigned: Unsigned, key: OpenKey): Promise<SignedEvm> => {
  const { approved } = await passReview(reviewing, unsigned, key.address);
  return signEvm(approved, key.privateKey);
};

/** Another transaction for a payment that may have been sent could pay it twice; the same bytes cannot. */
const assertNoOther = async ({ client }: PayContext, paymentId: string, { hash }: SignedEvm): Promise<void> => {
  const before = await sentBefore(client.io, paymentId);
  if (before === undefined || before.toLowerCase() === hash.toLowerCase()) return;
  throw new Failure('outcome_unknown', `another transaction of this payment may have been sent: ${before}`, {
    hint: `Nothing was sent now. ${hash} is a different transaction, and both could pay.`,
    next: `bursar pay status ${paymentId}`,
  });
};

/** The record of a review holds which options of the user it needed. */
const recordReview = ({ movement, overrides }: PayContext, { verdict, digest }: Review): Promise<void> => {
  const { allowBlind, allowRecipients = [] } = overrides;
  const allowed = [...(allowBlind ? [ALLOW_BLIND] : []), ...allowRecipients.map(allowRecipient)];
  return movement.record({ step: 'reviewed', verdict, digest, allowed });
};

/** Reviews, records and signs. Nothing is signed whose review is not on the disk. */
export const reviewAndSign = async (
  context: PayContext,
  paymentId: string,
  unsigned: Unsigned,
  key: OpenKey,
): Promise<Reviewed> => {
  const { review, approved } = await passRecorded(context, paymentId, unsigned, key.address);
  await recordReview(context, review);
  const [signed, took] = await timed(context, async () => signEvm(approved, key.privateKey));
  await assertNoOther(context, paymentId, signed);
  await context.movement.record({ step: 'signed', payment_id: paymentId, ...signed });
  await context.on({ kind: 'signed', hash: signed.hash, took });
  return { review, signed };
};

/** Bytes signed elsewhere pass the same review as ours, must be those of this payment, and are recorded alike. */
export const reviewSigned = async (
  context: PayContext,
  paymentId: string,
  unsigned: Unsigned,
  hex: string,
): Promise<Reviewed> => {
  const { signed_transaction, hash, from } = readSigned(hex, parseCryptoTx(unsigned.cryptoTx));
  const { review } = await passRecorded(context, paymentId, unsigned, from);
  await recordReview(context, review);
  const signed = { signed_transaction, hash, from };
  await assertNoOther(context, paymentId, signed);
  await context.movement.record({ step: 'signed', payment_id: paymentId, ...signed });
  return { review, signed };
};
