import { call, dataOf, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { execute } from '../../contract/pay/execute.ts';
import { Failure, type FailureDetails, withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { inSentence, isSameText } from '../../core/text.ts';
import { finalityOf } from '../node/finality.ts';
import { asFailure, isForeignLimit, leavesOpen, recorded, refusedDetails, timed } from '../read-back.ts';
import type { PayContext } from './context.ts';
import { checkedByNode, liveData, MOVED, settledData } from './landed.ts';
import { type PaymentState, readPayment } from './status.ts';

/** The body of the endpoint: the API is the only executor. */
export const executeInput = (paymentId: string, signedTransaction: string): Input => ({
  executor_id: 'api_transaction',
  payment_id: paymentId,
  signed_transaction: signedTransaction,
});

/** The body of execute: the bytes and their hash on the chain. */
export type SignedTransaction = { readonly signed_transaction: string; readonly hash: string };

/** The hash is known before sending: a response with another hash is not about these bytes. */
const hashIn = (envelope: Envelope): string => {
  switch (envelope.status) {
    case 'payment_confirmed':
      return dataOf(execute, 'payment_confirmed', envelope).tid_hash;
    case 'payment_received':
      return dataOf(execute, 'payment_received', envelope).tx_hash;
    default:
      // An unknown success status proves nothing, so the payment is read.
      throw new Failure('unexpected_answer', `the service answered execute with ${inSentence(envelope.status)}`, {
        status: envelope.status,
        http: envelope.statusCode,
      });
  }
};

/** The result of the call: its status, its hash, and the response if one came. */
type Sent = { readonly status: string; readonly found: string; readonly envelope?: Envelope };

const send = async (context: PayContext, input: Input): Promise<Sent> => {
  const envelope = await call(context.client, execute, input);
  return { status: envelope.status, found: hashIn(envelope), envelope };
};

/** Hashes are compared as bytes, because letter case may differ. */
export const sameHash = (a: string | null | undefined, b: string): boolean => typeof a === 'string' && isSameText(a, b);

const checkHash = (paymentId: string, found: string, expected: string): void => {
  if (sameHash(found, expected)) return;
  const facts = `the service answered with the hash ${inSentence(found)}, and ${expected} was sent`;
  throw new Failure('outcome_unknown', facts, {
    hint: 'Another transaction may have been made for this payment. Do not pay again before you have checked it.',
    next: nextStep('pay.status.wait', paymentId),
    data: liveData(paymentId, expected),
  });
};

/**
 * Reads the payment after an unclear outcome and returns only a certain result. `undefined` if no execution is
 * visible.
 */
const settle = async (context: PayContext, paymentId: string, hash: string, error: Failure) => {
  const payment = await readPayment(context.client, paymentId).catch(() => {
    throw stillUnknown(error, paymentId, hash, 'cannot be read back');
  });
  await context.on({ kind: 'read_back', status: payment.status, isLost: true });
  const isOurs = sameHash(payment.tid_hash, hash);
  if (payment.status === 'success' && isOurs) return { status: 'payment_confirmed', found: hash };
  if (payment.status === 'received' && isOurs) return { status: 'payment_received', found: hash };
  if (payment.status === 'error' && isOurs) throw endedInError(context, payment, hash, error.details);
  if (!leavesOpen(error) && payment.status !== 'processing') return undefined;
  throw stillUnknown(error, paymentId, hash, `is in state ${inSentence(payment.status)}`);
};

/**
 * A gateway may have repeated the call, or passed it on despite a rate limit. The refusal may then be for the second
 * call.
 */
const mayBeOurs = (failure: Failure): boolean =>
  failure.details.status === 'invalid_payment_status' || isForeignLimit(failure);

/** Sends once, and reads the payment if the response is not conclusive. Returns the response if one came. */
const sendOnce = async (context: PayContext, paymentId: string, signed: SignedTransaction) => {
  const { hash, signed_transaction } = signed;
  // The journal has the call by now; the state before the call is needed.
  const wasHanded = context.operation.state().signed.some((part) => part.hash === hash && part.before?.sent !== 'no');
  let sent: Sent | undefined;
  try {
    await context.gate?.assertDayStill(context.operation, [hash]);
    sent = await send(context, executeInput(paymentId, signed_transaction));
  } catch (error) {
    const failure = asFailure(error);
    if (failure.details.isUnsent) throw wasHanded ? failure : neverSent(failure, paymentId);
    if (!leavesOpen(failure) && !mayBeOurs(failure)) throw refusedLive(context, failure, paymentId, hash);
    sent = await settle(context, paymentId, hash, failure);
    if (!sent)
      throw isForeignLimit(failure)
        ? limited(failure, paymentId, hash)
        : refusedLive(context, failure, paymentId, hash);
  }
  checkHash(paymentId, sent.found, hash);
  return { status: sent.status, hash, envelope: sent.envelope };
};

/** Reads the finality of refused bytes from a node and records it. A final result ends the doubt. */
const askNode = async (
  context: PayContext,
  paymentId: string,
  signed: SignedTransaction,
  error: unknown,
): Promise<unknown> => {
  const { operation, node } = context;
  const failure = asFailure(error);
  const { started_at, signed: parts } = operation.state();
  const part = parts.findLast(({ hash, isRefused }) => hash === signed.hash && isRefused);
  if (node === undefined || part === undefined) return error;
  const finality = await finalityOf(node, { ...part, begunAt: Date.parse(started_at) });
  if (finality !== 'reverted' && finality !== 'dead') return error;
  const { hash } = part;
  await operation.note({ step: 'dead', hash });
  await operation.note({ step: 'failed', code: failure.code, status: failure.details.status, is_unknown: false });
  return settledByNode(failure, paymentId, hash, finality);
};

/**
 * Sends signed bytes through the service, once. The journal has `sending` before the first byte leaves. Throws
 * `outcome_unknown` with the hash if neither the response nor the payment shows the outcome.
 */
export const executePayment = async (context: PayContext, paymentId: string, signed: SignedTransaction) => {
  const { hash } = signed;
  const sending = timed(context, () =>
    recorded(
      context,
      { step: 'sending', payment_id: paymentId, part: 1, hash, via: 'service' },
      () => sendOnce(context, paymentId, signed),
      ({ status }) => ({ step: 'executed', payment_id: paymentId, status, hash }),
    ),
  );
  const [executed, took] = await context.client.io
    .spin('Sending the payment', sending)
    .catch(async (error: unknown) => {
      const asked = await askNode(context, paymentId, signed, error);
      throw asked === error ? await checkedByNode(context, paymentId, hash, error) : asked;
    });
  await context.on({ kind: 'executed', status: executed.status, hash, took });
  return executed;
};

/** Neither the response nor the payment's state shows whether the money moved. */
const stillUnknown = (error: Failure, paymentId: string, hash: string, state: string): Failure => {
  const hint = `The transaction ${hash} may have been sent. The payment ${state}.`;
  const next = nextStep('pay.status.wait', paymentId);
  return withDetails(error, { data: liveData(paymentId, hash), hint, next }, 'outcome_unknown');
};

/** The data of refused bytes, with the data of the refusal. */
const refusedData = (paymentId: string, hash: string, { data }: FailureDetails) => ({
  ...liveData(paymentId, hash),
  ...(data !== undefined && { answer: data }),
});

/** The service refused the bytes, but it has them and could still send them. */
const refusedLive = (context: PayContext, failure: Failure, paymentId: string, hash: string): Failure =>
  withDetails(failure, {
    data: refusedData(paymentId, hash, failure.details),
    ...refusedDetails(failure, hash, {
      // The sandbox has a node.
      canOnlyNodeShow: context.client.service.kind === 'live' && !context.node,
      resume: nextStep('pay.resume.live', context.operation.id),
    }),
  });

/** The service refused bytes, and no others were sent: the first can still land. */
export const besideLive = (failure: Failure, paymentId: string, hash: string): Failure => {
  const known = `No other transaction was sent; the one that the service refused may still be sent (${hash}).`;
  return withDetails(failure, {
    data: refusedData(paymentId, hash, failure.details),
    hint: `${known} ${failure.details.hint ?? ''}`.trim(),
  });
};

/** The payment ended in error with our own transaction. Only the chain shows whether it landed. */
export const endedInError = (
  context: PayContext,
  { id, data_error }: PaymentState,
  hash: string,
  details: FailureDetails = {},
): Failure => {
  const ended = new Failure('payment_failed', `payment ${id} ended in error`, { ...details, data: { data_error } });
  return refusedLive(context, ended, id, hash);
};

/** Adds the finality that a node shows to the failure. */
const settledByNode = (failure: Failure, paymentId: string, hash: string, finality: 'reverted' | 'dead'): Failure =>
  withDetails(failure, {
    data: settledData(paymentId, hash, false),
    hint: `${MOVED[finality]} A node shows it.`,
    next: nextStep('pay.status', paymentId),
  });

/** A failure before the first byte was sent: first-time bytes moved nothing. */
const neverSent = (failure: Failure, paymentId: string): Failure =>
  withDetails(failure, {
    data: { payment_id: paymentId, tid_hash: null },
    hint: `It never left this machine: the money did not move. ${failure.details.hint ?? ''}`.trim(),
  });

/** A single read proves nothing: the call may still be running. The bytes stay in doubt. */
const limited = (failure: Failure, paymentId: string, hash: string): Failure =>
  withDetails(failure, {
    data: liveData(paymentId, hash),
    hint: `Too many calls were made. The payment is not executed yet, but the transaction ${hash} may have been passed on. A resume sends the same bytes, which cannot pay twice.`,
    isUnclear: true,
  });
