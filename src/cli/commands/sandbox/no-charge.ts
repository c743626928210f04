import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep, withOptions } from '../../../core/next.ts';

/** What cannot be an id is no part of an advice. */
const isIdLike = (text: string): boolean => /^[\w-]{1,80}$/.test(text);

/**
 * What the bank or the issuer of a payer does to a payment. Throws `not_found` with where to look, for a payment that the
 * sandbox does not have, or that is paid in another way.
 */
export const onCharge = async <T>(work: Promise<T>, paymentId: string, kind: 'pix' | 'card'): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error, 'not_found')) throw error;
    const message = `this sandbox has no payment ${paymentId} that waits for a ${kind === 'pix' ? 'Pix' : 'card'}`;
    const type = kind === 'pix' ? 'pixcrypto' : 'cardcrypto';
    throw new Failure('not_found', message, {
      ...error.details,
      hint: `It waits for one after bursar pay run, or pay transaction, with --transaction-type ${type} --profile sandbox. What was begun here: bursar pay list.`,
      next: isIdLike(paymentId)
        ? withOptions(nextStep('pay.status', paymentId), ['--profile', 'sandbox'])
        : nextStep('operation.list', 'pay'),
      cause: error,
    });
  }
};
