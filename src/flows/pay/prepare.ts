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

/** The context fields that these two steps need. */
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

/** The payer transaction of a payment. */
type Created = DataOf<typeof transaction, 'payment_registered'>;

/** For a card, an unreadable response is as uncertain as a lost one. */
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
 * Creates the payer transaction of a recorded payment, for any method. The identity check does not count towards the
 * call's time.
 */
const create = (context: Preparing, paymentId: string, input: Input): Promise<readonly [Created, number]> =>
  throughIdentityGate(context, paymentId, input, () => timed(context, () => createRecorded(context, paymentId, input)));

/** Retries when our own bytes already use the nonce, and the pause before each: blocks take time. */
const MAX_AGAIN = 3;
const PAUSE_MS = 400;

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
    if (again === MAX_AGAIN || left <= PAUSE_MS || !(await isTaken(client, paymentId, cryptoTx))) return made;
    await client.io.clock.sleep(PAUSE_MS, client.io.interrupted);
  }
};

/** Creates the payer transaction of a registered payment. Returns the service's `crypto_tx`, unchanged. */
export const createTransaction = async (context: Preparing, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await withFreshNonce(context.client, paymentId, async () => {
    const made = await create(context, paymentId, input);
    return { made, cryptoTx: made[0].crypto_tx };
  });
  await context.on({ kind: 'created', payment_id: paymentId, took });
  return data.crypto_tx;
};

/** Creates the Pix or sends the card of a registered payment. Returns the service's `fiat_tx` unchanged. */
export const createCharge = async (context: Preparing, paymentId: string, input: Input): Promise<unknown> => {
  const [data, took] = await create(context, paymentId, input);
  await context.on({ kind: 'charged', payment_id: paymentId, took });
  return data.fiat_tx;
};
