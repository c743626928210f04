import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { PayContext } from '../context.ts';
import { type PaymentState, waitForSuccess } from '../status.ts';
import type { Resumption } from './resumption.ts';

/**
 * Follows a payment that the service works on until it is final, or waits for somebody again. Throws `not_final` when
 * the time is over.
 */
export const followPayment = async (
  context: PayContext,
  resumption: Resumption,
  paymentId: string,
): Promise<PaymentState> => {
  const onState = ({ status }: PaymentState) => context.on({ kind: 'state', status });
  try {
    const end = waitForSuccess(context.client, paymentId, { onState });
    return await context.client.io.spin('Waiting for the payment', end);
  } catch (error) {
    const last = isFailure(error) ? (error.details.data as PaymentState | undefined) : undefined;
    if (isFailure(error, 'payment_failed') && last) return last;
    if (!isFailure(error, 'not_final') || !last) throw error;
    if (EXECUTABLE_STATUSES.includes(last.status)) return last;
    throw new Failure('not_final', error.sentence, {
      ...error.details,
      next: nextStep('pay.resume', resumption.state.id),
    });
  }
};
