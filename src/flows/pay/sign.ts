import { ALLOW_BLIND, allowRecipient } from '../../chain/allow.ts';
import { type Approved, approve } from '../../chain/evm/approve.ts';
import type { Expected } from '../../chain/evm/context.ts';
import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, reviewEvm } from '../../chain/evm/review.ts';
import { type SignedEvm, signEvm } from '../../chain/evm/sign.ts';
import { readSigned } from '../../chain/evm/signed.ts';
import { digestOf, type UnsignedEvm } from '../../chain/evm/transaction.ts';
import { isLocked } from '../../chain/pass.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import type { Movement } from '../../journal/movement.ts';
import { begunWith } from '../begun-with.ts';
import { readFacts } from '../node/read-facts.ts';
import { keepingRefusal, notSigned } from '../policy/refusal.ts';
import { timed } from '../timed.ts';
import type { OpenKey, PayContext } from './context.ts';
import { assertNoOther, type Candidate } from './live.ts';
import { nonceUsedBy, nonceUsedSince } from './nonce.ts';

/** What a review needs of the world. */
export type Reviewing = Pick<PayContext, 'network' | 'overrides' | 'node' | 'pins' | 'gate' | 'approve' | 'on'>;

/** The payer's transaction of a payment: as the service gave it, and what it must do. */
export type Unsigned = { readonly cryptoTx: unknown; readonly expected: Expected };

/** Signed bytes with the hash by which the chain will know them, and the review of what they do. */
export type Reviewed = { readonly review: Review; readonly signed: SignedEvm };

type Passed = { readonly review: Review; readonly approved: Approved };

/** Looks at what was handed over before; gives the hash of another transaction that holds the same nonce. */
type LookBack = (unsigned: UnsignedEvm) => Promise<string | undefined>;

/**
 * Reviews, shows and asks. Throws `refused_by_review` when the review contradicts what was asked or the user
 * says no; as the node does where it cannot be asked.
 */
const passReview = async (
  reviewing: Reviewing,
  { cryptoTx, expected }: Unsigned,
  signer: string,
  lookBack?: LookBack,
): Promise<Passed> => {
  const { network, overrides, pins } = reviewing;
  const unsigned = parseCryptoTx(cryptoTx);
  const nonceUsedBy = await lookBack?.(unsigned);
  const node = reviewing.node && (await readFacts(reviewing.node, unsigned, network));
  const policy = await reviewing.gate?.inForce(digestOf(unsigned));
  const review = reviewEvm({ unsigned, network, expected, signer, overrides, node, nonceUsedBy, pins, policy });
  await reviewing.on({ kind: 'reviewed', review });
  // A question whose yes would not do is not asked.
  const canPass = review.verdict !== 'refuse' && !review.checks.some(isLocked);
  if (canPass && !(await reviewing.approve(review))) throw notSigned();
  return { review, approved: approve(review, 'user_said_yes') };
};

/**
 * The same, for a payment that is recorded: the journal keeps a refusal too. Throws `outcome_unknown` where another
 * transaction of the payment may still land; an operation that was begun beside it is over then.
 */
const passRecorded = async (
  context: PayContext,
  paymentId: string,
  unsigned: Unsigned,
  signer: Pick<Candidate, 'from' | 'hash'>,
): Promise<Passed> => {
  const { client, movement } = context;
  const lookBack: LookBack = async (fields) => {
    await assertNoOther(context, paymentId, { ...fields, ...signer });
    return nonceUsedBy(client.io, fields, paymentId, begunWith(client.service));
  };
  return endingUseless(movement, () =>
    keepingRefusal(movement, paymentId, () => passReview(context, unsigned, signer.from, lookBack)),
  );
};

/** A payment that was there before has an operation of its own: one that came to nothing beside it leaves nothing open. */
const endingUseless = async <T>(movement: Movement, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { begun, signed } = movement.state();
    const isUseless = begun.payment_id !== undefined && signed.length === 0;
    if (isUseless && isFailure(error, 'outcome_unknown')) await movement.note({ step: 'set_aside', hash: undefined });
    if (isUseless && isFailure(error, 'invalid_input')) {
      await movement.note({ step: 'failed', code: error.code, status: undefined, is_unknown: false });
    }
    throw error;
  }
};

/** The turn passed to others of the wallet while the user was asked: what they handed over may have used the nonce. */
const assertNonceUnused = async (context: PayContext, paymentId: string, fields: UnsignedEvm): Promise<void> => {
  const { client, turn, movement } = context;
  const since = turn?.lostAt();
  if (since === undefined) return;
  await assertNoOther(context, paymentId, fields);
  const used = await nonceUsedSince(client.io, fields, paymentId, since);
  if (used === undefined) return;
  await movement.note({ step: 'failed', code: 'interrupted', status: undefined, is_unknown: false });
  throw new Failure(
    'not_final',
    `another operation of ${fields.from} used the nonce ${fields.nonce} meanwhile: ${used}`,
    {
      hint: 'Nothing was signed for this payment. A new transaction is created for it.',
      next: `bursar pay resume ${movement.id}`,
    },
  );
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
  const { allowBlind, allowRecipients = [] } = overrides;
  const allowed = [...(allowBlind ? [ALLOW_BLIND] : []), ...allowRecipients.map(allowRecipient)];
  await movement.record({ step: 'reviewed', verdict, digest, allowed, moves: leaves });
  await gate?.assertDay(movement, [{ digest, leaves }]);
};

/**
 * Reviews a transaction and signs it: those same bytes, and nothing else. Nothing is sent, and nothing is recorded but
 * under a policy.
 */
export const signOnly = async (reviewing: Reviewing, unsigned: Unsigned, key: OpenKey): Promise<SignedEvm> => {
  const { gate } = reviewing;
  const { address: wallet, privateKey } = key;
  if (gate === undefined) return signEvm((await passReview(reviewing, unsigned, wallet)).approved, privateKey);
  const chain = parseCryptoTx(unsigned.cryptoTx).chainName;
  return gate.withSigning({ operation: 'sign', chain, wallet }, async (movement) => {
    const approved = await keepingRefusal(movement, undefined, async () => {
      const passed = await passReview(reviewing, unsigned, wallet);
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
  const { review, approved } = await passRecorded(context, paymentId, unsigned, { from: key.address });
  await assertNonceUnused(context, paymentId, review.unsigned);
  await keepingRefusal(movement, paymentId, () => recordReview(context, movement, review));
  const [signed, took] = await timed(context, async () => signEvm(approved, key.privateKey));
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
  const { signed_transaction, hash, from } = await endingUseless(context.movement, () =>
    keepingRefusal(context.movement, paymentId, async () => readSigned(hex, parseCryptoTx(unsigned.cryptoTx))),
  );
  const { review } = await passRecorded(context, paymentId, unsigned, { from, hash });
  await assertNonceUnused(context, paymentId, review.unsigned);
  await keepingRefusal(context.movement, paymentId, () => recordReview(context, context.movement, review));
  const signed = { signed_transaction, hash, from };
  await context.movement.record({ step: 'signed', payment_id: paymentId, ...signed });
  return { review, signed };
};
