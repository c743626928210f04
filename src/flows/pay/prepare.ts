import { type Client, call, dataOf, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { deploymentOfService } from '../../client/service.ts';
import type { DataOf } from '../../contract/define.ts';
import { outcomeOf } from '../../contract/outcomes.ts';
import { register } from '../../contract/pay/register.ts';
import { isPixType } from '../../contract/pay/shared.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { briefly, isJsonObject, textAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { credentialsIn, mapTexts, maskerOf } from '../../core/secret.ts';
import { inSentence, isPlainId } from '../../core/text.ts';
import { isForeignLimit, isUnclear, readingBack, recorded, timed } from '../read-back.ts';
import type { PayContext, PayEvent } from './context.ts';
import { assertNewOrSame, throughIdentityGate } from './identity.ts';
import { nonceUsedBy, placeIn } from './nonce.ts';
import { type PaymentState, readPayment } from './status.ts';

/** Describes the requested transaction in a payment that was read again. */
const shownBy = (payment: PaymentState, type: unknown): string => {
  const { transaction_type: found, unsigned_tx: unsigned, global_payment_data: fiat } = payment;
  const state = `The payment was read back: it is ${payment.status}`;
  if (found !== type) return `${state}, and shows no transaction of type ${briefly(type)} (yet).`;
  const fiatState = isJsonObject(fiat) && fiat['status'] !== undefined ? `, ${briefly(fiat['status'], 40)}` : '';
  const made =
    type === 'crypto' && !unsigned ? 'without an unsigned transaction' : `of type ${briefly(type)}${fiatState}`;
  return `${state}, with a transaction ${made}.`;
};

/** A rate limiter may have passed the call on: a card may have been charged. */
const lostAnswerOf = (failure: Failure, input: Input): Failure => {
  const { movesMoney, description } = outcomeOf(transaction, input);
  if (!movesMoney || !isForeignLimit(failure)) return failure;
  return withDetails(failure, { hint: description, isUnclear: true }, 'outcome_unknown');
};

/** Creates a payer transaction, once. If the response is lost, the failure describes the payment. */
export const createOnce = async (client: Client, input: Input): Promise<Envelope> => {
  try {
    return await call(client, transaction, input);
  } catch (thrown) {
    if (!isUnclear(thrown)) throw thrown;
    const error = lostAnswerOf(thrown, input);
    const id = String(input['payment_id']);
    const found = await readingBack(error, () => readPayment(client, id)).catch((again: unknown) => {
      // After an interrupt, the outcome stays as it was before the read.
      throw isFailure(again, 'interrupted') ? error : again;
    });
    // The read request has no information about the card that this call sent.
    const payment = mapTexts(found, maskerOf(credentialsIn(input))) as PaymentState;
    const type = input['transaction_type'];
    const hint = `${error.details.hint ?? ''} ${shownBy(payment, type)}`.trim();
    // A Pix code is shown only after its check.
    const data = isPixType(type) ? { payment_id: payment.id, status: payment.status } : payment;
    throw withDetails(error, { hint, next: nextStep('pay.status', id), data });
  }
};

const checkedId = <T extends { readonly payment_id: string }>(data: T): T => {
  if (isPlainId(data.payment_id)) return data;
  const shown = inSentence(data.payment_id);
  throw new Failure('unexpected_answer', `the service gave the payment an id that is none: ${shown}`);
};

/** The context fields that these two steps need. */
export type PrepareContext = Pick<
  PayContext,
  'client' | 'operation' | 'on' | 'identify' | 'pixAtMost' | 'confirmPixAmount'
>;

/** Registers the payment. Returns its id. */
export const registerPayment = async (context: PrepareContext, input: Input): Promise<string> => {
  const [data, took] = await timed(context, () =>
    recorded(
      context,
      { step: 'registering' },
      async () => checkedId(dataOf(register, 'payment_registered', await call(context.client, register, input))),
      ({ payment_id }) => ({ step: 'registered', payment_id }),
    ),
  );
  await assertNewOrSame(context.client.io, context.operation);
  await context.on({ kind: 'registered', payment_id: data.payment_id, took });
  return data.payment_id;
};

/** The payer transaction of a payment. */
type Created = DataOf<typeof transaction, 'payment_registered'>;

/** For a card, an unreadable response is as uncertain as a lost one. */
const createdIn = (envelope: Envelope, input: Input): Created => {
  try {
    return dataOf(transaction, 'payment_registered', envelope);
  } catch (error) {
    const { movesMoney, description } = outcomeOf(transaction, input);
    if (!movesMoney || !isFailure(error)) throw error;
    throw withDetails(error, { hint: description, isUnclear: true }, 'outcome_unknown');
  }
};

/**
 * Creates the payer transaction of a recorded payment, for any method. The identity check does not count towards the
 * call's time.
 */
const create = (context: PrepareContext, paymentId: string, input: Input): Promise<readonly [Created, number]> => {
  const whole = { ...input, payment_id: paymentId };
  const work = () =>
    recorded(
      context,
      { step: 'creating', payment_id: paymentId },
      async () => createdIn(await createOnce(context.client, whole), whole),
      ({ crypto_tx, session_payment: page }) => ({ step: 'created', payment_id: paymentId, crypto_tx, page }),
    );
  return throughIdentityGate(context, paymentId, input, () => timed(context, work));
};

type CreatedEvent = Extract<PayEvent, { kind: 'created' }>;

const createdEvent = (what: CreatedEvent['what'], payment_id: string, data: Created, took: number): CreatedEvent => ({
  kind: 'created',
  what,
  payment_id,
  took,
  page: textAt(data, 'session_payment'),
});

/** The pause before each retry when our own bytes already use the nonce: blocks take time. */
const PAUSES_MS = [50, 250, 900] as const;

/** Whether sent bytes of another payment use the nonce of a transaction. */
const isTaken = async ({ io, service }: Client, paymentId: string, cryptoTx: unknown): Promise<boolean> => {
  const place = placeIn(cryptoTx);
  return place !== undefined && (await nonceUsedBy(io, place, paymentId, deploymentOfService(service))) !== undefined;
};

/**
 * Creates a transaction, and repeats it while our own bytes already use its nonce. After the last retry, the review
 * reports the conflict.
 */
export const withFreshNonce = async <T>(
  client: Client,
  paymentId: string,
  make: () => Promise<{ readonly made: T; readonly cryptoTx: unknown }>,
): Promise<T> => {
  for (let again = 0; ; again += 1) {
    const { made, cryptoTx } = await make();
    const left = client.deadline - client.io.clock.monotonic();
    const pause = PAUSES_MS[again];
    if (pause === undefined || left <= pause || !(await isTaken(client, paymentId, cryptoTx))) return made;
    await client.io.clock.sleep(pause, client.io.interrupted);
  }
};

/** Creates the payer transaction of a registered payment. Returns the service's `crypto_tx`, unchanged. */
export const createTransaction = async (context: PrepareContext, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await withFreshNonce(context.client, paymentId, async () => {
    const made = await create(context, paymentId, input);
    return { made, cryptoTx: made[0].crypto_tx };
  });
  await context.on(createdEvent('unsigned transaction', paymentId, data, took));
  return data.crypto_tx;
};

/** Creates the Pix or sends the card of a registered payment. Returns the service's `fiat_tx` unchanged. */
export const createCharge = async (context: PrepareContext, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await create(context, paymentId, input);
  await context.on(createdEvent('charge', paymentId, data, took));
  return data.fiat_tx;
};
