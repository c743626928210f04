import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/text.ts';
import { intentOf, type PaymentState } from '../../../flows/pay/status.ts';
import type { PaymentIntent } from '../../../journal/intents.ts';

/** The intent of a payment that the service shows. Throws `rejected` for one without a transaction of the payer. */
export const intentOfPayment = (payment: PaymentState): PaymentIntent => {
  const intent = intentOf(payment);
  if (payment['unsigned_tx'] && intent) return intent;
  throw new Failure('rejected', `payment ${payment.id} has no transaction to sign`, {
    status: 'missing_unsigned_transaction',
    hint: `It is ${payment.status}. Nothing was sent now.`,
    next: nextStep('pay.transaction.crypto', payment.id),
  });
};

/** Throws `rejected` for a payment that cannot be executed, before anything is signed. */
export const assertExecutable = ({ id, status }: PaymentState): void => {
  if (EXECUTABLE_STATUSES.includes(status)) return;
  throw new Failure(
    'rejected',
    `payment ${id} is ${inSentence(status)}: only a payment in registered or retry can be executed`,
    {
      status: 'invalid_payment_status',
      hint: 'Nothing was sent now.',
      next: nextStep('pay.status', id),
    },
  );
};
