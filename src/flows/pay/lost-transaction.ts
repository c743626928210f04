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

/** What a payment that was read back shows of the transaction that was asked for. */
const shownBy = (payment: PaymentState, type: unknown): string => {
  const { transaction_type: found, unsigned_tx: unsigned, global_payment_data: fiat } = payment;
  const state = `The payment was read back: it is ${payment.status}`;
  if (found !== type) return `${state}, and shows no transaction of type ${briefly(type)} (yet).`;
  const fiatState = isJsonObject(fiat) && fiat['status'] !== undefined ? `, ${briefly(fiat['status'], 40)}` : '';
  const made =
    type === 'crypto' && !unsigned ? 'without an unsigned transaction' : `of type ${briefly(type)}${fiatState}`;
  return `${state}, with a transaction ${made}.`;
};

/** Whoever limits calls may have passed this one on: of a card that leaves open whether it was charged. */
const lostAnswerOf = (failure: Failure, input: Input): Failure => {
  const { movesMoney, description } = outcomeOf(transaction, input);
  if (!movesMoney || !isForeignLimit(failure)) return failure;
  return new Failure('outcome_unknown', failure.sentence, { ...failure.details, hint: description, isUnclear: true });
};

const PIX_TYPES: readonly unknown[] = ['pixcrypto', 'fiatcrypto'];

/** A payment may hold the code of a Pix, which nobody is shown before it passed its check. */
const findingsOf = (payment: PaymentState, type: unknown): unknown =>
  PIX_TYPES.includes(type) ? { payment_id: payment.id, status: payment.status } : payment;

/** Creates a payer transaction, once. After a lost answer the failure tells what the payment shows. */
export const createOnce = async (client: Client, input: Input): Promise<Envelope> => {
  try {
    return await call(client, transaction, input);
  } catch (thrown) {
    if (!isUnclear(thrown)) throw thrown;
    const error = lostAnswerOf(thrown, input);
    const id = String(input['payment_id']);
    const found = await readingBack(error, () => readPayment(client, id)).catch((again: unknown) => {
      // Who ends the looking ends with what was not known before it.
      throw isFailure(again, 'interrupted') ? error : again;
    });
    // The call that reads knows nothing of the card that this one sent.
    const payment = mapTexts(found, maskerOf(credentialsIn(input))) as PaymentState;
    const type = input['transaction_type'];
    const hint = `${error.details.hint ?? ''} ${shownBy(payment, type)}`.trim();
    throw withFindings(error, { hint, next: nextStep('pay.status', id), data: findingsOf(payment, type) });
  }
};
