import * as z from 'zod';
import { type Client, call } from '../../client/call.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { status } from '../../contract/pay/status.ts';
import { Failure, type FailureDetails } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/remote-text.ts';
import { type Waiting, waitFor } from '../waiting.ts';

/**
 * What the steps of a payment read of its state. The contract describes more; but a state that can be
 * read must not become an unknown outcome because some other field is not as documented.
 */
const stateSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  tid_hash: z.string().nullish(),
  data_error: z.unknown().optional(),
});

/** A payment as its steps read it; whatever else the service says of it is there too. */
export type PaymentState = z.infer<typeof stateSchema>;

/** Reads a payment back. Throws `unexpected_answer` for one without id and status. */
export const readPayment = async (client: Client, paymentId: string): Promise<PaymentState> => {
  const { data, status: answered } = await call(client, status, { id: paymentId });
  const parsed = stateSchema.safeParse(data);
  if (parsed.success && parsed.data.id === paymentId) return parsed.data;
  throw new Failure('unexpected_answer', `the answer for payment ${paymentId} does not show its state`, {
    status: answered,
    data,
  });
};

/** A payment that is not executed yet rests, but for one whose payer's bank or card issuer is to act. */
const canStillMove = ({ status: state, transaction_type: type }: PaymentState): boolean =>
  !EXECUTABLE_STATUSES.includes(state) || (typeof type === 'string' && type !== '' && type !== 'crypto');

/** The command that a payment waits for; `undefined` where nothing is left to do. In `retry` its bytes are out of date. */
export const stepAfter = (payment: PaymentState): NextStep | undefined => {
  const { id, status: state } = payment;
  if (state === 'success' || state === 'error') return undefined;
  if (canStillMove(payment)) return nextStep('pay.status.wait', id);
  const isReady = state === 'registered' && Boolean(payment['unsigned_tx']);
  return isReady ? nextStep('pay.execute', id) : nextStep('pay.transaction', id);
};

const notFinal = (payment: PaymentState, paymentId: string): Failure =>
  new Failure('not_final', `payment ${paymentId} is ${inSentence(payment.status)}`, {
    data: payment,
    next: stepAfter({ ...payment, id: paymentId }),
  });

/** What pays by a charge that ended badly can be asked for again; of crypto the chain decides what became of it. */
const afterError = ({ transaction_type: type }: PaymentState): Pick<FailureDetails, 'hint' | 'next'> => {
  const isPix = type === 'pixcrypto' || type === 'fiatcrypto';
  if (!isPix && type !== 'cardcrypto' && type !== 'cardfiat') return {};
  return { hint: isPix ? 'A new payment has a new Pix.' : 'Pay again with another card.', next: nextStep('pay.run') };
};

/** How a payment is waited for; `onState` is told of each change of its status. */
type Wait = Pick<Waiting<PaymentState>, 'onState' | 'known' | 'longestPauseMs'>;

/**
 * Polls a payment until it is in success, with growing pauses. Throws `payment_failed` when it ends in
 * error, `not_final` when the time of the command is over or nothing moves by itself. With a state that is `known`
 * also the first read may fail, and whatever it is somebody is at work on it.
 */
export const waitForSuccess = (client: Client, paymentId: string, wait: Wait): Promise<PaymentState> =>
  waitFor<PaymentState>(client, {
    read: () => readPayment(client, paymentId),
    stateOf: ({ status: state }) => state,
    isDone: (payment) => {
      if (payment.status !== 'error') return payment.status === 'success';
      throw new Failure('payment_failed', `payment ${paymentId} ended in error`, {
        data: payment,
        ...afterError(payment),
      });
    },
    isResting: (payment) => wait.known === undefined && !canStillMove(payment),
    notFinal: (payment) => notFinal(payment, paymentId),
    ...wait,
  });
