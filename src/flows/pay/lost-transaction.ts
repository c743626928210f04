import { type Client, call, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { outcomeOf } from '../../contract/outcomes.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { briefly, isJsonObject } from '../../core/json.ts';
import { maskerOf } from '../../core/mask.ts';
import { nextStep } from '../../core/next.ts';
import { credentialsIn, mapTexts } from '../../core/redact.ts';
import { isForeignLimit, isUnclear, readingBack, withFindings } from '../read-back.ts';
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
  return new Failure('outcome_unknown', failure.sentence, { ...failure.details, hint: description, isUnclear: true });
};

const PIX_TYPES: readonly unknown[] = ['pixcrypto', 'fiatcrypto'];

/** The payment may contain a Pix code, which is shown only after its check. */
const findingsOf = (payment: PaymentState, type: unknown): unknown =>
  PIX_TYPES.includes(type) ? { payment_id: payment.id, status: payment.status } : payment;

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
    throw withFindings(error, { hint, next: nextStep('pay.status', id), data: findingsOf(payment, type) });
  }
};
