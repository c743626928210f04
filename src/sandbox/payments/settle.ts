import { messageOf } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import type { EvmNode } from '../chains/nodes.ts';
import { changePayment, hasPaidAnother, type PaymentRow, paymentsIn } from '../ledger/payments.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { hashOfSigned } from './signed.ts';

/** How a payment whose signed transaction is saved ended. */
export type Ending =
  | { readonly status: 'payment_confirmed'; readonly hash: string }
  | { readonly status: 'payment_failed' | 'finalizer_payment_order_on_chain_failed'; readonly message: string };

/** A payment in `processing`, and its signed transaction. */
export type Underway = { readonly id: string; readonly chain: string; readonly raw: string; readonly hash: string };

const minedEnding = async (node: EvmNode, hash: string): Promise<Ending | undefined> => {
  const receipt = await node.receipt(hash);
  if (!receipt) return undefined;
  if (receipt.status === 'success') return { status: 'payment_confirmed', hash };
  return { status: 'payment_failed', message: 'The transaction was mined and reverted.' };
};

const failedEnding = (message: string): Ending => ({ status: 'finalizer_payment_order_on_chain_failed', message });

/** Sends the saved bytes unless they are mined already: the same bytes cannot pay twice. */
const bringToEnd = async (services: Services, { id, chain, raw, hash }: Underway): Promise<Ending> => {
  try {
    if (await hasPaidAnother(await services.ledger(), id, hash)) {
      return failedEnding('The transaction has paid another payment already.');
    }
    const node = await services.node(chain);
    const mined = await minedEnding(node, hash);
    if (mined) return mined;
    const sent = await node.send(raw);
    if (!sent.ok) return failedEnding(`The node refused the transaction: ${sent.message}`);
    return (await minedEnding(node, hash)) ?? failedEnding('The node took the transaction and has no receipt of it.');
  } catch (error) {
    await log(services.io, `payment on ${chain} failed after its transaction was saved: ${describeError(error)}`);
    return failedEnding(`The node failed after the transaction was saved: ${messageOf(error)}`);
  }
};

const record = (services: Services, { id, hash }: Underway, ending: Ending) => {
  const updated_at = services.clock.nowIso();
  if (ending.status === 'payment_confirmed') return { status: 'success', tid_hash: hash, updated_at };
  const { status, message } = ending;
  const data_error = printJson({ code: 500, status, details: { payment_id: id, hash }, message });
  return { status: 'error', data_error, updated_at };
};

/** Takes a payment in `processing` to its end on the chain, and records it: `success`, or `error` with `data_error`. */
export const settle = async (services: Services, payment: Underway): Promise<Ending> => {
  const ending = await bringToEnd(services, payment);
  const expected = { id: payment.id, statuses: ['processing'] };
  await changePayment(await services.ledger(), expected, record(services, payment, ending));
  return ending;
};

/** The key under which one payer's executions on one chain wait for each other. */
export const turnOf = ({ from_chain, payer_wallet }: PaymentRow): string =>
  `${from_chain} ${payer_wallet.toLowerCase()}`;

const settleRow = async (services: Services, row: PaymentRow): Promise<void> => {
  const raw = row.signed_tx ?? '';
  const underway = { id: row.id, chain: row.from_chain, raw, hash: await hashOfSigned(raw) };
  const ending = await services.inTurn(turnOf(row), () => settle(services, underway));
  await log(services.io, `payment ${row.id} was found in processing and settled: ${ending.status}`);
};

/** Settles from the chain what an earlier server left in `processing`. */
export const settleLeftovers = async (services: Services): Promise<void> => {
  const rows = await paymentsIn(await services.ledger(), 'processing');
  for (const row of rows) await settleRow(services, row);
};
