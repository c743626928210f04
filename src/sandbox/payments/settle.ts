import type { Endpoint } from '../../contract/define.ts';
import { execute } from '../../contract/pay/execute.ts';
import { EXECUTABLE_STATUSES, STALE_NONCE } from '../../contract/pay/shared.ts';
import { messageOf } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { BRIDGE_MS } from '../assumptions.ts';
import { queuePayout } from '../ledger/charges.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  type Change,
  changePayment,
  changePaymentThrough,
  type ExpectedState,
  findPayment,
  hasPaidAnother,
  type PaymentRow,
  paymentsIn,
} from '../ledger/payments.ts';
import { describeError, log } from '../log.ts';
import type { Services } from '../services.ts';
import { type Plan, planOf } from './receivers.ts';
import { hashOfSigned } from './signed.ts';

/**
 * Changes a payment at the current time and wakes the workers. Returns `false` for a payment without the expected
 * state.
 */
export const movePayment = async (
  services: Services,
  expected: ExpectedState,
  change: Omit<Change, 'updated_at'>,
  also?: (step: Ledger) => Promise<unknown>,
): Promise<boolean> => {
  const updated_at = services.clock.nowIso();
  const isMoved = await changePayment(await services.ledger(), expected, { ...change, updated_at }, also);
  services.nudge();
  return isMoved;
};

/** The result of an execution after the signed transaction was saved. */
export type PaymentEnd =
  | { readonly status: 'payment_confirmed'; readonly hash: string }
  | { readonly status: 'payment_received'; readonly hash: string }
  | { readonly status: 'payment_failed' | 'finalizer_payment_order_on_chain_failed'; readonly message: string };

/** A payment in `processing`, and its signed transaction. */
export type PaymentInProgress = {
  readonly id: string;
  readonly chain: string;
  readonly raw: string;
  readonly hash: string;
  /** The payout of the bridge on another chain. Without it, the transaction pays the receivers itself. */
  readonly bridged: Plan | undefined;
};

/** The payout of the bridge for a payment to another chain; `undefined` for a payment on one chain. */
export const bridgedPlan = (row: PaymentRow): Plan | undefined =>
  row.from_chain === row.to_chain ? undefined : planOf(row);

const failedEnding = (message: string): PaymentEnd => ({ status: 'finalizer_payment_order_on_chain_failed', message });

/** The hint for an empty wallet, which is the usual reason of a first failure. */
const fundingHint = (message: string): string =>
  /insufficient funds/i.test(message) ? '. In the sandbox bursar sandbox fund fills a wallet' : '';

const minedEnding = (hasSucceeded: boolean, { hash, bridged }: PaymentInProgress): PaymentEnd =>
  hasSucceeded
    ? { status: bridged ? 'payment_received' : 'payment_confirmed', hash }
    : { status: 'payment_failed', message: 'The transaction was mined and reverted.' };

/**
 * Sends bytes that were just saved. If the node refuses them, their receipt counts: the payer may have sent the same
 * bytes to the chain meanwhile.
 */
const sendSaved = async (services: Services, payment: PaymentInProgress): Promise<PaymentEnd> => {
  const node = await services.node(payment.chain);
  const sent = await node.send(payment.raw);
  if (sent.ok) return minedEnding(sent.isGood, payment);
  const receipt = await node.receipt(payment.hash);
  if (receipt) return minedEnding(receipt.status === 'success', payment);
  return failedEnding(`The node refused the transaction: ${sent.message}${fundingHint(sent.message)}`);
};

/** Finds the receipt of saved bytes, or sends them. The same bytes cannot pay twice. */
const findOrSend = async (services: Services, payment: PaymentInProgress): Promise<PaymentEnd> => {
  const { id, chain, hash } = payment;
  if (await hasPaidAnother(await services.ledger(), id, hash)) {
    return failedEnding('The transaction has paid another payment already.');
  }
  const receipt = await (await services.node(chain)).receipt(hash);
  return receipt ? minedEnding(receipt.status === 'success', payment) : sendSaved(services, payment);
};

type Send = typeof sendSaved;

/** Sends the transaction. A failure of the node becomes a failed end. */
const trySend = async (services: Services, payment: PaymentInProgress, send: Send): Promise<PaymentEnd> => {
  try {
    return await send(services, payment);
  } catch (error) {
    const where = `payment on ${payment.chain}`;
    await log(services.io, `${where} failed after its transaction was saved: ${describeError(error)}`);
    return failedEnding(`The node failed after the transaction was saved: ${messageOf(error)}`);
  }
};

/** `data_error`, as JSON text, of a payment that failed after its signed transaction was saved. */
const dataErrorOf = (
  id: string,
  hash: string | null,
  { status, message }: { readonly status: string; readonly message: string },
): string => printJson({ code: 500, status, details: { payment_id: id, hash }, message });

const changeAfter = ({ id, hash }: PaymentInProgress, ending: PaymentEnd) => {
  if (ending.status === 'payment_confirmed') return { status: 'success', tid_hash: hash };
  if (ending.status === 'payment_received') return { status: 'received', tid_hash: hash };
  return { status: 'error', data_error: dataErrorOf(id, hash, ending) };
};

/**
 * Settles a payment in `processing` on the payer's chain and stores the result: `success`, `received` with the payout
 * of the bridge, or `error` with `data_error`.
 */
export const settle = async (
  services: Services,
  payment: PaymentInProgress,
  send: Send = sendSaved,
): Promise<PaymentEnd> => {
  const ending = await trySend(services, payment, send);
  const expected = { id: payment.id, statuses: ['processing'] };
  const { bridged } = payment;
  const queueBridge = async (step: Ledger): Promise<void> => {
    if (ending.status !== 'payment_received' || !bridged) return;
    await queuePayout(step, payment.id, bridged, services.clock.now() + BRIDGE_MS);
  };
  await movePayment(services, expected, changeAfter(payment, ending), queueBridge);
  return ending;
};

/** The queue of one payer's executions on one chain, which run one after the other. */
export const queueFor = ({ from_chain, payer_wallet }: PaymentRow): string =>
  `${from_chain} ${payer_wallet.toLowerCase()}`;

/** Settles a payment in `processing` that no call is settling. Sends its saved transaction, if it is not mined. */
export const settleSaved = async (services: Services, row: PaymentRow): Promise<void> => {
  const raw = row.signed_tx ?? '';
  const hash = await hashOfSigned(raw);
  const payment = { id: row.id, chain: row.from_chain, raw, hash, bridged: bridgedPlan(row) };
  const ending = await services.inTurn(queueFor(row), () => settle(services, payment, findOrSend));
  await log(services.io, `payment ${row.id} was found in processing and settled: ${ending.status}`);
};

/**
 * Settles the payments that an earlier server left in `processing`. They run in parallel, so that they share blocks and
 * commits. Payments without a signed transaction wait for the treasury.
 */
export const settleLeftovers = async (services: Services): Promise<void> => {
  const rows = await paymentsIn(await services.ledger(), 'processing');
  const signed = rows.filter(({ signed_tx }) => signed_tx !== null);
  const logFailure = (id: string) => (error: unknown) =>
    log(services.io, `payment ${id} was found in processing and could not be settled: ${describeError(error)}`);
  await Promise.all(signed.map((row) => settleSaved(services, row).catch(logFailure(row.id))));
};

/** The errors of execute after the signed transaction is saved. They put the payment into `error`. */
const AFTER_SAVING = ['payment_failed', 'finalizer_payment_order_on_chain_failed'];

/** Whether an injected error changes the status of its payment. */
export const changesStatus = ({ id }: Endpoint, status: string): boolean =>
  id === execute.id && (status === STALE_NONCE || AFTER_SAVING.includes(status));

type InjectedCall = { readonly tenant: string; readonly input: Readonly<Record<string, unknown>> };

/**
 * Changes a payment after an injected error of execute, like the real error does. Only a payment that the call could
 * have executed changes. Nothing is sent to its chain.
 */
export const applyInjectedError = async (
  services: Services,
  status: string,
  { tenant, input }: InjectedCall,
): Promise<void> => {
  const ledger = await services.ledger();
  const row = await findPayment(ledger, tenant, String(input['payment_id']));
  if (!row || row.unsigned_tx === null) return;
  const expected = { id: row.id, statuses: EXECUTABLE_STATUSES, unsigned_tx: row.unsigned_tx };
  const updated_at = services.clock.nowIso();
  if (status === STALE_NONCE) {
    await changePaymentThrough(ledger, expected, [{ status: 'retry', updated_at }]);
  } else {
    const signed_tx = String(input['signed_transaction']);
    const hash = await hashOfSigned(signed_tx).catch(() => null);
    const data_error = dataErrorOf(row.id, hash, { status, message: 'A fault was injected.' });
    await changePaymentThrough(ledger, expected, [
      { status: 'processing', signed_tx, updated_at },
      { status: 'error', data_error, updated_at },
    ]);
  }
  services.nudge();
};
