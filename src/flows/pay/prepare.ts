import { type Client, call, dataOf, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import type { DataOf } from '../../contract/define.ts';
import { outcomeOf } from '../../contract/outcomes.ts';
import { register } from '../../contract/pay/register.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { isPlainId } from '../../core/remote-text.ts';
import { deploymentOfService } from '../deployment.ts';
import { recorded } from '../recorded.ts';
import { timed } from '../timed.ts';
import type { PayContext } from './context.ts';
import { throughIdentityGate } from './identity.ts';
import { assertNewOrSame } from './known-id.ts';
import { createOnce } from './lost-transaction.ts';
import { nonceUsedBy, placeIn } from './nonce.ts';

const checkedId = <T extends { readonly payment_id: string }>(data: T): T => {
  if (isPlainId(data.payment_id)) return data;
  throw new Failure('unexpected_answer', `the service gave the payment an id that is none: ${data.payment_id}`);
};

/** What these two steps need of the context of a payment, of whatever method. */
export type Preparing = Pick<PayContext, 'client' | 'operation' | 'on' | 'identify' | 'pixAtMost' | 'confirmPixAmount'>;

/** Registers the payment. Returns its id. */
export const registerPayment = async (context: Preparing, input: Input): Promise<string> => {
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

/** What the payer of a payment gets. */
type Created = DataOf<typeof transaction, 'payment_registered'>;

/** Of a card an answer that cannot be read says as little as one that was lost. */
const createdIn = (envelope: Envelope, input: Input): Created => {
  try {
    return dataOf(transaction, 'payment_registered', envelope);
  } catch (error) {
    const { movesMoney, description } = outcomeOf(transaction, input);
    if (!movesMoney || !isFailure(error)) throw error;
    throw new Failure('outcome_unknown', error.sentence, { ...error.details, hint: description, isUnclear: true });
  }
};

const createRecorded = (context: Preparing, paymentId: string, input: Input): Promise<Created> =>
  recorded(
    context,
    { step: 'creating', payment_id: paymentId },
    async () => {
      const whole = { ...input, payment_id: paymentId };
      const envelope = await createOnce(context.client, whole);
      return createdIn(envelope, whole);
    },
    ({ crypto_tx }) => ({ step: 'created', payment_id: paymentId, crypto_tx }),
  );

/**
 * The one place where a payment that is recorded gets its payer transaction, of whatever method. The time that the
 * payer's identity takes is not that of the call.
 */
const create = (context: Preparing, paymentId: string, input: Input): Promise<readonly [Created, number]> =>
  throughIdentityGate(context, paymentId, input, () => timed(context, () => createRecorded(context, paymentId, input)));

/** How often a transaction is created again whose nonce our own bytes hold, and the pause before: blocks take a while. */
const MAX_AGAIN = 3;
const PAUSE_MS = 400;

/** Whether bytes of another payment of ours that were handed over hold the nonce of a transaction. */
const isTaken = async ({ io, service }: Client, paymentId: string, cryptoTx: unknown): Promise<boolean> => {
  const place = placeIn(cryptoTx);
  return place !== undefined && (await nonceUsedBy(io, place, paymentId, deploymentOfService(service))) !== undefined;
};

/**
 * Creates a transaction, and again while its nonce is one that our own bytes hold: only one of the two could land. After
 * some times the last one is taken, and its review names the other.
 */
export const withFreshNonce = async <T>(
  client: Client,
  paymentId: string,
  make: () => Promise<{ readonly made: T; readonly cryptoTx: unknown }>,
): Promise<T> => {
  for (let again = 0; ; again += 1) {
    const { made, cryptoTx } = await make();
    const left = client.deadline - client.io.clock.monotonic();
    if (again === MAX_AGAIN || left <= PAUSE_MS || !(await isTaken(client, paymentId, cryptoTx))) return made;
    await client.io.clock.sleep(PAUSE_MS, client.io.interrupted);
  }
};

/** Creates the payer transaction of a registered payment. Returns the service's `crypto_tx`, as it came. */
export const createTransaction = async (context: Preparing, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await withFreshNonce(context.client, paymentId, async () => {
    const made = await create(context, paymentId, input);
    return { made, cryptoTx: made[0].crypto_tx };
  });
  await context.on({ kind: 'created', payment_id: paymentId, took });
  return data.crypto_tx;
};

/** Creates the Pix or sends the card of a registered payment. Returns the service's `fiat_tx`, as it came. */
export const createCharge = async (context: Preparing, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await create(context, paymentId, input);
  await context.on({ kind: 'charged', payment_id: paymentId, took });
  return data.fiat_tx;
};
