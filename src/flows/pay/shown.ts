import { normaliseEvmAddress } from '../../chain/evm/address.ts';
import { reviewEvm } from '../../chain/evm/review.ts';
import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { ABOVE_BOUND } from '../../chain/review/check.ts';
import { type ChainNode, isNoAnswer, readQuantity, resultOf } from '../../client/node.ts';
import { Failure, type FailureDetails } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import { handedForOther, type LiveBytes, liveOfPayment } from '../../journal/doubt.ts';
import type { PaymentIntent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { finalityOf } from '../node/finality.ts';
import type { PayContext } from './context.ts';
import { sameHash } from './execute.ts';
import { differing } from './identity.ts';
import { assertLanded, liveData } from './landed.ts';
import { expectedOf, type PaymentState } from './status.ts';

/** The resumed operation and its payment intent. */
type Shown = { readonly intent: PaymentIntent; readonly state: OperationState };

const inDoubt = (id: string, why: string, details: FailureDetails): Failure =>
  new Failure('outcome_unknown', `the service reports payment ${id} as executed${why}`, {
    hint: 'Do not pay again before it is known who paid what.',
    next: nextStep('pay.status', id),
    ...details,
    data: { payment_id: id, moved: null, ...(isJsonObject(details.data) ? details.data : {}) },
  });

/** Checks that match a transaction to a payment; fee and nonce do not. */
const OF_PAYMENT: readonly string[] = [
  ...['token', 'amount', ABOVE_BOUND, 'receivers', 'shares'],
  ...['call', 'arguments', 'batch', 'value', 'chain', 'signer'],
];

/** A transaction from a node; `undefined` if it calls no address. */
const readTransaction = async (node: ChainNode, hash: string, chainName: string): Promise<UnsignedEvm | undefined> => {
  const [found, chainId] = await Promise.all([
    resultOf(node, 'eth_getTransactionByHash', [hash]),
    resultOf(node, 'eth_chainId', []),
  ]);
  if (!isJsonObject(found) || typeof found['to'] !== 'string') return undefined;
  const { from, to, input, value, nonce } = found;
  return {
    chainName,
    chainId: Number(readQuantity(chainId, 'eth_chainId')),
    from: normaliseEvmAddress(String(from)),
    to: normaliseEvmAddress(to),
    data: String(input).toLowerCase(),
    value: readQuantity(value, 'the value of a transaction'),
    nonce: Number(readQuantity(nonce, 'the nonce of a transaction')),
    gasLimit: 0n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
  };
};

/** Reviews a transaction that was sent elsewhere: sender, chain and content must match the payment. */
const misfitsOf = async (context: PayContext, { intent }: Shown, node: ChainNode, hash: string) => {
  const { network, overrides, pins, stating } = context;
  const unsigned = await readTransaction(node, hash, intent.chain);
  if (unsigned === undefined) return [{ id: 'call', message: 'It pays no receiver.' }];
  const expected = expectedOf(intent, stating);
  const { checks } = reviewEvm({ unsigned, network, expected, signer: intent.payer, overrides, pins });
  return checks.filter(({ id, verdict }) => verdict !== 'pass' && OF_PAYMENT.includes(id));
};

const assertFits = async (context: PayContext, shown: Shown, id: string, hash: string): Promise<void> => {
  const { node } = context;
  if (node === undefined) return;
  const misfits = await misfitsOf(context, shown, node, hash).catch((error: unknown) => {
    if (!isNoAnswer(error)) throw error;
    throw inDoubt(id, `, and the node ${node.origin} does not show the transaction ${hash}`, {
      data: { tid_hash: hash },
      next: nextStep('pay.resume.live', id),
    });
  });
  if (misfits.length === 0) return;
  const why = misfits.map(({ message }) => message).join(' ');
  throw inDoubt(id, ` by ${inSentence(hash)}, which is no transaction of this payment: ${why}`, {
    data: { tid_hash: hash },
    errors: misfits.map(({ id: field, message }) => ({ field, message })),
  });
};

/** The bytes of another local operation that a node shows as landed, if the service names no transaction. */
const landedOf = async ({ client, node }: PayContext, state: OperationState, live: readonly LiveBytes[]) => {
  for (const { state: other, part } of live) {
    const finality = await finalityOf(node, { ...part, begunAt: Date.parse(other.started_at) });
    if (finality === 'landed' && !(await handedForOther(client.io, state, part.hash))) return part.hash;
  }
  return undefined;
};

const assertUnnamed = async (context: PayContext, { state }: Shown, { id }: PaymentState): Promise<string | null> => {
  const { node, client } = context;
  if (node === undefined) return null;
  const live = await liveOfPayment(client.io, id);
  const hash = await landedOf(context, state, live);
  if (hash !== undefined) return hash;
  const [other] = live;
  const why = `, and names no transaction that ${node.origin} could show`;
  const hint = 'Nothing was sent from here. Do not pay again before it is known who executed it.';
  if (other === undefined) throw inDoubt(id, why, { hint });
  throw inDoubt(id, why, {
    data: liveData(id, other.part.hash),
    hint: `The transaction ${other.part.hash} was sent from here and may have paid it. Do not pay again.`,
    next: nextStep('operation.resume.earlier', 'pay', other.state.id),
  });
};

/**
 * Checks that an unsent operation's payment succeeded by its own transaction, and returns the hash. Bytes of another
 * local operation count, unless that one states another payment. Any other transaction must have the same payer, chain and content. Without a node the
 * service's report counts. Throws `outcome_unknown`, and as `assertLanded`.
 */
export const assertShown = async (context: PayContext, shown: Shown, payment: PaymentState): Promise<string | null> => {
  const { id, tid_hash: hash } = payment;
  const { io } = context.client;
  if (!hash) return assertUnnamed(context, shown, payment);
  const other = await handedForOther(io, shown.state, hash);
  if (other !== undefined) {
    const why = ` by ${inSentence(hash)}, which this machine sent for the payment ${other.payment_id}`;
    throw inDoubt(id, why, { data: { tid_hash: hash } });
  }
  await assertLanded(context, id, hash);
  const isOwn = (await liveOfPayment(io, id)).some(
    ({ state, part }) => sameHash(hash, part.hash) && differing(shown.state, state).length === 0,
  );
  if (!isOwn) await assertFits(context, shown, id, hash);
  return hash;
};
