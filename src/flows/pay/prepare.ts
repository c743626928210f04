import { call, dataOf, type Input } from '../../client/call.ts';
import { register } from '../../contract/pay/register.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure } from '../../core/failure.ts';
import { recorded } from '../recorded.ts';
import { timed } from '../timed.ts';
import type { PayContext } from './context.ts';
import { throughIdentityGate } from './identity.ts';

/** An id goes into paths and into commands that a person copies: it must not do anything there. */
const checkedId = <T extends { readonly payment_id: string }>(data: T): T => {
  if (/^[\w.:-]{1,200}$/.test(data.payment_id)) return data;
  throw new Failure('unexpected_answer', `the service gave the payment an id that is none: ${data.payment_id}`);
};

/** Registers the payment. Returns its id. */
export const registerPayment = async (context: PayContext, input: Input): Promise<string> => {
  const [data, took] = await timed(context, () =>
    recorded(
      context,
      { step: 'registering' },
      async () => checkedId(dataOf(register, 'payment_registered', await call(context.client, register, input))),
      ({ payment_id }) => ({ step: 'registered', payment_id }),
    ),
  );
  await context.on({ kind: 'registered', payment_id: data.payment_id, took });
  return data.payment_id;
};

const createOnce = (context: PayContext, paymentId: string, input: Input) =>
  recorded(
    context,
    { step: 'creating', payment_id: paymentId },
    async () => {
      const envelope = await call(context.client, transaction, { ...input, payment_id: paymentId });
      return dataOf(transaction, 'payment_registered', envelope);
    },
    ({ crypto_tx }) => ({ step: 'created', payment_id: paymentId, crypto_tx }),
  );

/** Creates the payer transaction of a registered payment. Returns the service's `crypto_tx`, as it came. */
export const createTransaction = async (context: PayContext, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await throughIdentityGate(context, paymentId, input, () =>
    timed(context, () => createOnce(context, paymentId, input)),
  );
  await context.on({ kind: 'created', payment_id: paymentId, took });
  return data.crypto_tx;
};
