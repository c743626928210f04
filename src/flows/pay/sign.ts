import { ALLOW_BLIND, allowRecipient, feeAtMost } from '../../chain/allow.ts';
import { type Approved, approve } from '../../chain/evm/approve.ts';
import type { Expected } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, reviewEvm } from '../../chain/evm/review.ts';
import { type SignedEvm, signEvm } from '../../chain/evm/sign.ts';
import { readSigned } from '../../chain/evm/signed.ts';
import { digestOf, type UnsignedEvm } from '../../chain/evm/transaction.ts';
import { fundingCommand } from '../../chain/funds.ts';
import { isLocked } from '../../chain/pass.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';
import { shellWord } from '../../core/shell.ts';
import type { Io } from '../../io/io.ts';
import { sentBefore } from '../../journal/doubt.ts';
import type { Movement } from '../../journal/movement.ts';
import { readFacts } from '../node/read-facts.ts';
import { keepingRefusal, namingNext, notSigned } from '../policy/refusal.ts';
import { timed } from '../timed.ts';
import type { OpenKey, PayContext } from './context.ts';
import { knownNonces, nonceUsedBy } from './nonce.ts';

/** What a review needs of the world. */
export type Reviewing = Pick<
  PayContext,
  'network' | 'overrides' | 'node' | 'pins' | 'gate' | 'nameOf' | 'approve' | 'on'
>;

/** The payer's transaction of a payment: as the service gave it, and what it must do. */
export type Unsigned = { readonly cryptoTx: unknown; readonly expected: Expected };

/** Signed bytes with the hash by which the chain will know them, and the review of what they do. */
export type Reviewed = { readonly review: Review; readonly signed: SignedEvm };

type Passed = { readonly review: Review; readonly approved: Approved };

/** The journal that nonces are looked up in, and the payment that the transaction is for, where there is one. */
type Nonces = { readonly io: Io; readonly paymentId?: string };

/** What a node, the journal and the keystore know of a transaction and its payer. */
const factsOf = async ({ node, network, nameOf }: Reviewing, unsigned: UnsignedEvm, { io, paymentId }: Nonces) => {
  const [facts, payerName] = await Promise.all([node && readFacts(node, unsigned, network), nameOf?.(unsigned.from)]);
  const nonces = await knownNonces(io, unsigned, facts);
  const usedBy = paymentId === undefined ? undefined : await nonceUsedBy(io, unsigned, paymentId);
  return { node: facts, payerName, nonces, nonceUsedBy: usedBy };
};

/**
 * Reviews, shows and asks. Throws `refused_by_review` when the review contradicts what was asked or the user
 * says no; as the node does where it cannot be asked.
 */
const passReview = async (
  reviewing: Reviewing,
  { cryptoTx, expected }: Unsigned,
  signer: string,
  journal: Nonces,
): Promise<Passed> => {
  const { network, overrides, pins } = reviewing;
  const unsigned = parseCryptoTx(cryptoTx);
  const facts = await factsOf(reviewing, unsigned, journal);
  const policy = await reviewing.gate?.inForce(digestOf(unsigned));
  const review = reviewEvm({ unsigned, network, expected, signer, overrides, ...facts, pins, policy });
  await reviewing.on({ kind: 'reviewed', review });
  // A question whose yes would not do is not asked.
  const canPass = review.verdict !== 'refuse' && !review.checks.some(isLocked);
  if (canPass && !(await reviewing.approve(review))) throw notSigned();
  const next = fundingCommand(review.checks, network.kind, facts.payerName ?? review.from);
  return { review, approved: namingNext(next, () => approve(review, 'user_said_yes')) };
};

/** The same, for a payment that is recorded: the journal keeps a refusal too. */
const passRecorded = async (
  context: PayContext,
  paymentId: string,
  unsigned: Unsigned,
  signer: string,
): Promise<Passed> => {
  const journal = { io: context.client.io, paymentId };
  return keepingRefusal(context.movement, paymentId, () => passReview(context, unsigned, signer, journal));
};

/** Another transaction for a payment that may have been sent could pay it twice; the same bytes cannot. */
const assertNoOther = async ({ client }: PayContext, paymentId: string, { hash }: SignedEvm): Promise<void> => {
  const before = await sentBefore(client.io, paymentId);
  if (before === undefined || isSameText(before, hash)) return;
  throw new Failure('outcome_unknown', `another transaction of this payment may have been sent: ${before}`, {
    hint: `Nothing was sent now. ${hash} is a different transaction, and both could pay.`,
    next: `bursar pay status ${shellWord(paymentId)}`,
  });
};

/**
 * Writes a review down with the options of the user that it needed and with what leaves, and holds that against the
 * limits of the day. Throws `refused_by_review`.
 */
const recordReview = async (
  { overrides, gate }: Pick<Reviewing, 'overrides' | 'gate'>,
  movement: Movement,
  { verdict, digest, leaves }: Review,
): Promise<void> => {
  const { allowBlind, allowRecipients = [], feeAtMost: fee } = overrides;
  const allowed = [
    ...(allowBlind ? [ALLOW_BLIND] : []),
    ...allowRecipients.map(allowRecipient),
    ...(fee === undefined ? [] : [feeAtMost(fee)]),
  ];
  await movement.record({ step: 'reviewed', verdict, digest, allowed, moves: leaves });
  await gate?.assertDay(movement, [{ digest, leaves }]);
};

/**
 * Reviews a transaction and signs it: those same bytes, and nothing else. Nothing is sent, and nothing is recorded but
 * under a policy.
 */
export const signOnly = async (
  reviewing: Reviewing & { readonly io: Io },
  unsigned: Unsigned,
  key: OpenKey,
): Promise<SignedEvm> => {
  const { gate } = reviewing;
  const { address: wallet, privateKey } = key;
  if (gate === undefined)
    return signEvm((await passReview(reviewing, unsigned, wallet, reviewing)).approved, privateKey);
  const chain = parseCryptoTx(unsigned.cryptoTx).chainName;
  return gate.withSigning({ operation: 'sign', chain, wallet }, async (movement) => {
    const approved = await keepingRefusal(movement, undefined, async () => {
      const passed = await passReview(reviewing, unsigned, wallet, reviewing);
      await recordReview(reviewing, movement, passed.review);
      return passed.approved;
    });
    const signed = signEvm(approved, privateKey);
    await movement.record({ step: 'signed', payment_id: '', ...signed });
    return signed;
  });
};

/** Reviews, records and signs. Nothing is signed whose review is not on the disk. */
export const reviewAndSign = async (
  context: PayContext,
  paymentId: string,
  unsigned: Unsigned,
  key: OpenKey,
): Promise<Reviewed> => {
  const { movement } = context;
  const { review, approved } = await passRecorded(context, paymentId, unsigned, key.address);
  await keepingRefusal(movement, paymentId, () => recordReview(context, movement, review));
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
  await keepingRefusal(context.movement, paymentId, () => recordReview(context, context.movement, review));
  const signed = { signed_transaction, hash, from };
  await assertNoOther(context, paymentId, signed);
  await context.movement.record({ step: 'signed', payment_id: paymentId, ...signed });
  return { review, signed };
};
