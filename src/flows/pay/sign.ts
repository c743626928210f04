import { type Approved, approve } from '../../chain/evm/approve.ts';
import { ALLOW_BLIND, allowRecipient, type Expected } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, reviewEvm } from '../../chain/evm/review.ts';
import { type SignedEvm, signEvm } from '../../chain/evm/sign.ts';
import { readSigned } from '../../chain/evm/signed.ts';
import { Failure } from '../../core/failure.ts';
import { sentBefore } from '../../journal/doubt.ts';
import { timed } from '../timed.ts';
import type { OpenKey, PayContext } from './context.ts';

/** What a review needs of the world. */
export type Reviewing = Pick<PayContext, 'network' | 'overrides' | 'approve' | 'on'>;

/** The payer's transaction of a payment: as the service gave it, and what it must do. */
export type Unsigned = { readonly cryptoTx: unknown; readonly expected: Expected };

/** Signed bytes with the hash by which the chain will know them, and the review of what they do. */
export type Reviewed = { readonly review: Review; readonly signed: SignedEvm };

type Passed = { readonly review: Review; readonly approved: Approved };

/**
 * Reviews, shows and asks. Throws `refused_by_review` when the review contradicts what was asked or the user
 * says no.
 */
const passReview = async (reviewing: Reviewing, { cryptoTx, expected }: Unsigned, signer: string): Promise<Passed> => {
  const { network, overrides } = reviewing;
  const review = reviewEvm({ unsigned: parseCryptoTx(cryptoTx), network, expected, signer, overrides });
  await reviewing.on({ kind: 'reviewed', review });
  if (review.verdict !== 'refused' && !(await reviewing.approve(review))) {
    throw new Failure('refused_by_review', 'not approved; nothing was signed or sent');
  }
  return { review, approved: approve(review, 'user_said_yes') };
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
  const { review, approved } = await passReview(context, unsigned, key.address);
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
  const { review } = await passReview(context, unsigned, from);
  await recordReview(context, review);
  const signed = { signed_transaction, hash, from };
  await assertNoOther(context, paymentId, signed);
  await context.movement.record({ step: 'signed', payment_id: paymentId, ...signed });
  return { review, signed };
};
