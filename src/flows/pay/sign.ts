import { parseCryptoTx } from '../../chain/evm/parse.ts';
import { type Review, type SignedEvm, signEvm } from '../../chain/evm/review.ts';
import { readSigned, type UnsignedEvm } from '../../chain/evm/transaction.ts';
import { ABOVE_BOUND, STATED } from '../../chain/review/check.ts';
import { FUNDS, fundingInWords } from '../../chain/review/check-limits.ts';
import { deploymentOfService } from '../../client/service.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import type { Operation } from '../../journal/operation.ts';
import { type Facts, statementOf } from '../../journal/statement.ts';
import { recordReviews, reviewRecord, type SigningOf } from '../policy/gate.ts';
import { keepingRefusal, sendingNothing } from '../policy/key-policy.ts';
import { BOUND_PLACE, timed } from '../read-back.ts';
import type { SigningKey } from '../turn.ts';
import type { PayContext, StatedFacts } from './context.ts';
import { assertNoOther, type Candidate, nonceUsedBy, nonceUsedSince } from './nonce.ts';
import {
  type ApprovedReview,
  type Before,
  type PayReviewContext,
  passReview,
  signingOf,
  type UnsignedPayment,
} from './review.ts';

/** Signed bytes with their hash on the chain and their review. */
export type SignedReview = { readonly review: Review; readonly signed: SignedEvm };

/** A missing confirmation leaves the operation open: the resume accepts the options that state it. */
const waitingForUser = (error: Failure, resume: NextStep, paymentId: string): Failure =>
  withDetails(error, {
    hint: `${error.details.hint ?? ''} To go on, with what is missing`.trim(),
    followUp: resume,
    next: nextStep('pay.status', paymentId),
    isLeftOpen: true,
    isDeclined: true,
  });

/**
 * A payment stays open if its amount is above the user's limit, its wallet lacks money, or a confirmation is missing.
 * Each can change before a resume.
 */
const keptOpen = (context: PayContext, error: unknown, paymentId: string, review: Review | undefined): unknown => {
  const { operation, client, isConfirmed = false } = context;
  const operationId = operation.id;
  const isAsked = client.io.prompt.isPossible && !isConfirmed;
  const resume = nextStep('pay.resume.confirmed', operationId, isAsked);
  const isStep = operation.state().started.payment_id !== undefined;
  const refusals = new Set(review?.checks.filter(({ verdict }) => verdict === 'refuse').map(({ id }) => id));
  const [only, ...others] = refusals;
  if (!isFailure(error, 'refused_by_review') || error.details.isDeclined || others.length > 0) return error;
  // A single step is repeated with its options.
  if (only === undefined) return review && !isStep ? waitingForUser(error, resume, paymentId) : error;
  if (only === FUNDS) {
    return withDetails(error, {
      hint: `${fundingInWords(review?.checks ?? [], review?.from ?? '') ?? 'Fund the wallet'}, then`,
      next: error.details.next ?? resume,
      followUp: resume,
      isLeftOpen: true,
    });
  }
  if (only !== ABOVE_BOUND) return error;
  return withDetails(error, {
    hint: `Nothing was signed or sent now. A higher bound, or a better rate, lets it go on: ${BOUND_PLACE}.`,
    next: nextStep('pay.resume.bound', operationId, isAsked),
    isLeftOpen: true,
  });
};

/**
 * The same for a recorded payment: the journal also records a refusal. Throws `outcome_unknown` if another transaction
 * of the payment may still land. A new operation for that payment is closed then.
 */
const passRecorded = async (
  context: PayContext,
  paymentId: string,
  unsigned: UnsignedPayment,
  signer: Pick<Candidate, 'from' | 'hash'>,
): Promise<ApprovedReview> => {
  const { client, operation } = context;
  const deployment = deploymentOfService(client.service);
  const look: Before['look'] = async (fields) => {
    await assertNoOther(context, paymentId, { ...fields, ...signer });
    return nonceUsedBy(client.io, fields, paymentId, deployment);
  };
  let seen: Review | undefined;
  const on: PayContext['on'] = (event) => {
    if (event.kind === 'reviewed') seen = event.review;
    return context.on(event);
  };
  const before = { io: client.io, deployment, look };
  const pass = () =>
    passReview({ ...context, on }, unsigned, signer.from, before).catch((error: unknown) => {
      // Nothing of externally signed bytes stays here: the user has them.
      throw signer.hash === undefined ? keptOpen(context, error, paymentId, seen) : error;
    });
  return endingUseless(operation, () => keepingRefusal(operation, paymentId, pass));
};

/** An existing payment has its own operation: a failed operation next to it stays closed. */
const endingUseless = async <T>(operation: Operation, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { started, signed } = operation.state();
    const isUseless = started.payment_id !== undefined && signed.length === 0;
    if (isUseless && isFailure(error, 'outcome_unknown')) await operation.note({ step: 'superseded', hash: undefined });
    if (isUseless && isFailure(error, 'invalid_input')) {
      await operation.note({ step: 'failed', code: error.code, status: undefined, is_unknown: false });
    }
    throw error;
  }
};

/** Other operations of the wallet had their turn while the user was asked: they may have used the nonce. */
const assertNonceUnused = async (context: PayContext, paymentId: string, fields: UnsignedEvm): Promise<void> => {
  const { client, turn, operation } = context;
  const since = turn?.lostAt();
  if (since === undefined) return;
  await assertNoOther(context, paymentId, fields);
  const used = await nonceUsedSince(client.io, fields, paymentId, since);
  if (used === undefined) return;
  await operation.note({ step: 'failed', code: 'interrupted', status: undefined, is_unknown: false });
  const message = `another operation of ${fields.from} used the nonce ${fields.nonce} meanwhile: ${used}`;
  throw new Failure('not_final', message, {
    hint: 'Nothing was signed for this payment. A new transaction is created for it.',
    next: nextStep('pay.resume.turn', operation.id, false),
  });
};

/** The facts that the user confirmed: the screen showed each as the service's. */
const confirmedBy = ({ checks }: Review, { facts, uncovered }: StatedFacts): Facts =>
  Object.fromEntries(
    uncovered.flatMap((name) =>
      checks.some(({ id }) => id === `${STATED}${name}`) ? [[name, facts[name]] as const] : [],
    ),
  );

/** Records a review with its outflows and the user's options, then checks daily limits. Throws `refused_by_review`. */
const recordReview = async (
  { overrides, gate, stating }: Pick<PayReviewContext, 'overrides' | 'gate' | 'stating'>,
  operation: Operation,
  review: Review,
  signer: string,
): Promise<void> => {
  const confirmed = statementOf(confirmedBy(review, stating), 'confirmed');
  if (Object.keys(confirmed.facts).length > 0) await operation.record({ step: 'stated', stated: confirmed });
  const record = { ...reviewRecord(review, overrides), place: review.unsigned };
  await recordReviews({ operation, gate }, signingOf(review.unsigned, signer), [record]);
};

/**
 * Reviews a transaction and signs exactly these bytes. Nothing is sent. The journal records the review if it is for a
 * payment or under a policy; `of` is its purpose.
 */
export const signOnly = async (
  reviewing: PayReviewContext & { readonly io: Io },
  unsigned: UnsignedPayment,
  key: SigningKey,
  of: SigningOf = {},
): Promise<SignedEvm> => {
  const wallet = key.address;
  const before = { io: reviewing.io };
  const signAlone = async () => {
    const { approved } = await passReview(reviewing, unsigned, wallet, before);
    return signEvm(approved, await key.open());
  };
  const { gate } = reviewing;
  if (gate === undefined) return signAlone();
  const fields = parseCryptoTx(unsigned.cryptoTx);
  const { payment_id: paymentId } = of;
  const work = async (operation: Operation | undefined): Promise<SignedEvm> => {
    if (operation === undefined) return signAlone();
    const approved = await keepingRefusal(operation, paymentId, async () => {
      const passed = await passReview(reviewing, unsigned, wallet, before);
      await recordReview(reviewing, operation, passed.review, wallet);
      return passed.approved;
    });
    const signed = await signEvm(approved, await key.open());
    await operation.record({ step: 'signed', payment_id: paymentId ?? '', part: 1, ...signed });
    return signed;
  };
  const stated = reviewing.stating.statement;
  const intent = { operation: 'sign', chain: fields.chainName, wallet } as const;
  return gate.withSigning(signingOf(fields, wallet), intent, work, { ...of, stated });
};

/** Reviews a transaction of a recorded payment, and records the review. */
const passAndRecord: typeof passRecorded = async (context, paymentId, unsigned, signer) => {
  const { operation } = context;
  const passed = await passRecorded(context, paymentId, unsigned, signer);
  await assertNonceUnused(context, paymentId, passed.review.unsigned);
  await keepingRefusal(operation, paymentId, () => recordReview(context, operation, passed.review, signer.from));
  return passed;
};

/** Reviews, records and signs. The review is on the disk before the signature. */
export const reviewAndSign = async (
  context: PayContext,
  paymentId: string,
  unsigned: UnsignedPayment,
  key: SigningKey,
): Promise<SignedReview> => {
  const { review, approved } = await passAndRecord(context, paymentId, unsigned, { from: key.address });
  const privateKey = await key.open();
  const [signed, took] = await timed(context, () => signEvm(approved, privateKey));
  await context.operation.record({ step: 'signed', payment_id: paymentId, part: 1, ...signed });
  await context.on({ kind: 'signed', hash: signed.hash, took });
  return { review, signed };
};

/** Reviews and records externally signed bytes like our own. They must belong to this payment. */
export const reviewSigned = (
  context: PayContext,
  paymentId: string,
  unsigned: UnsignedPayment,
  hex: string,
): Promise<SignedReview> =>
  sendingNothing(async () => {
    const { operation } = context;
    const { fields: _, ...signed } = await endingUseless(operation, () =>
      keepingRefusal(operation, paymentId, async () => readSigned(hex, parseCryptoTx(unsigned.cryptoTx))),
    );
    const { review } = await passAndRecord(context, paymentId, unsigned, signed);
    await operation.record({ step: 'signed', payment_id: paymentId, part: 1, ...signed });
    return { review, signed };
  });
