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

/** Changes a payment as `changePayment` does, now, and wakes what follows from it. */
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

/** How a payment whose signed transaction is saved ended. */
export type PaymentEnd =
  | { readonly status: 'payment_confirmed'; readonly hash: string }
  | { readonly status: 'payment_received'; readonly hash: string }
  | { readonly status: 'payment_failed' | 'finalizer_payment_order_on_chain_failed'; readonly message: string };

/** A payment in `processing`, and its signed transaction. */
export type Underway = {
  readonly id: string;
  readonly chain: string;
  readonly raw: string;
  readonly hash: string;
  /** What the bridge is to pay out on another chain; without it the transaction pays the receivers itself. */
  readonly bridged: Plan | undefined;
};

/** What the bridge owes for a payment whose payer pays on one chain and whose receivers are on another. */
export const bridgedPlan = (row: PaymentRow): Plan | undefined =>
  row.from_chain === row.to_chain ? undefined : planOf(row);

const failedEnding = (message: string): PaymentEnd => ({ status: 'finalizer_payment_order_on_chain_failed', message });

/** Most first payments fail because the wallet is empty. */
const howToFund = (message: string): string =>
  /insufficient funds/i.test(message) ? '. In the sandbox bursar sandbox fund fills a wallet' : '';

const minedEnding = (isGood: boolean, { hash, bridged }: Underway): PaymentEnd =>
  isGood
    ? { status: bridged ? 'payment_received' : 'payment_confirmed', hash }
    : { status: 'payment_failed', message: 'The transaction was mined and reverted.' };

/**
 * Sends bytes that were just saved, and whose nonce was found unused. Refused, they may have paid all the same: the
 * payer can have sent them to the chain meanwhile.
 */
const sendSaved = async (services: Services, payment: Underway): Promise<PaymentEnd> => {
  const node = await services.node(payment.chain);
  const sent = await node.send(payment.raw);
  if (sent.ok) return minedEnding(sent.isGood, payment);
  const receipt = await node.receipt(payment.hash);
  if (receipt) return minedEnding(receipt.status === 'success', payment);
  return failedEnding(`The node refused the transaction: ${sent.message}${howToFund(sent.message)}`);
};

/** Sends bytes that an earlier server saved, unless they are mined already: the same bytes cannot pay twice. */
const findOrSend = async (services: Services, payment: Underway): Promise<PaymentEnd> => {
  const { id, chain, hash } = payment;
  if (await hasPaidAnother(await services.ledger(), id, hash)) {
    return failedEnding('The transaction has paid another payment already.');
  }
  const receipt = await (await services.node(chain)).receipt(hash);
  return receipt ? minedEnding(receipt.status === 'success', payment) : sendSaved(services, payment);
};

type Way = typeof sendSaved;

const bringToEnd = async (services: Services, payment: Underway, way: Way): Promise<PaymentEnd> => {
  try {
    return await way(services, payment);
  } catch (error) {
    const where = `payment on ${payment.chain}`;
    await log(services.io, `${where} failed after its transaction was saved: ${describeError(error)}`);
    return failedEnding(`The node failed after the transaction was saved: ${messageOf(error)}`);
  }
};

/** `data_error` of a payment that failed after its signed transaction was saved. */
const dataErrorOf = (
  id: string,
  hash: string | null,
  { status, message }: { readonly status: string; readonly message: string },
): string => printJson({ code: 500, status, details: { payment_id: id, hash }, message });

const record = ({ id, hash }: Underway, ending: PaymentEnd) => {
  if (ending.status === 'payment_confirmed') return { status: 'success', tid_hash: hash };
  if (ending.status === 'payment_received') return { status: 'received', tid_hash: hash };
  return { status: 'error', data_error: dataErrorOf(id, hash, ending) };
};

/**
 * Settles a payment in `processing` on the payer's chain and records the result: `success`, `received` with the debt of
 * the bridge, or `error` with `data_error`.
 */
export const settle = async (services: Services, payment: Underway, way: Way = sendSaved): Promise<PaymentEnd> => {
  const ending = await bringToEnd(services, payment, way);
  const expected = { id: payment.id, statuses: ['processing'] };
  const { bridged } = payment;
  const owe = async (step: Ledger): Promise<void> => {
    if (ending.status !== 'payment_received' || !bridged) return;
    await queuePayout(step, payment.id, bridged, services.clock.now() + BRIDGE_MS);
  };
  await movePayment(services, expected, record(payment, ending), owe);
  return ending;
};

/** The key under which one payer's executions on one chain wait for each other. */
export const queueFor = ({ from_chain, payer_wallet }: PaymentRow): string =>
  `${from_chain} ${payer_wallet.toLowerCase()}`;

/** Settles a payment whose signed transaction is saved, and which no call settles. Sends what was not mined. */
export const settleSaved = async (services: Services, row: PaymentRow): Promise<void> => {
  const raw = row.signed_tx ?? '';
  const hash = await hashOfSigned(raw);
  const underway = { id: row.id, chain: row.from_chain, raw, hash, bridged: bridgedPlan(row) };
  const ending = await services.inTurn(queueFor(row), () => settle(services, underway, findOrSend));
  await log(services.io, `payment ${row.id} was found in processing and settled: ${ending.status}`);
};

/**
 * Settles from the chain what an earlier server left in `processing`, all at once: they share blocks and commits.
 * What no payer signed is not settled here.
 */
export const settleLeftovers = async (services: Services): Promise<void> => {
  const rows = await paymentsIn(await services.ledger(), 'processing');
  const own = rows.filter(({ signed_tx }) => signed_tx !== null);
  const notSettled = (id: string) => (error: unknown) =>
    log(services.io, `payment ${id} was found in processing and could not be settled: ${describeError(error)}`);
  await Promise.all(own.map((row) => settleSaved(services, row).catch(notSettled(row.id))));
};

/** Errors of execute that come after the signed transaction is saved: the payment ends in `error`. */
const AFTER_SAVING = ['payment_failed', 'finalizer_payment_order_on_chain_failed'];

/** Whether an injected error leaves a payment in another state than it was in. */
export const leavesState = ({ id }: Endpoint, status: string): boolean =>
  id === execute.id && (status === STALE_NONCE || AFTER_SAVING.includes(status));

type Injected = { readonly tenant: string; readonly input: Readonly<Record<string, unknown>> };

/**
 * An injected error of execute leaves its payment in the state in which the real error leaves it. Only a payment that
 * the call could have executed moves; nothing is sent to its chain.
 */
export const leaveInjected = async (services: Services, status: string, { tenant, input }: Injected): Promise<void> => {
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
