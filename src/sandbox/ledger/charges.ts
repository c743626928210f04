import type { Selectable } from 'kysely';
import type { Ledger, Tables } from './ledger.ts';
import type { PaymentRow } from './payments.ts';

/** An open charge of a payment: an unpaid Pix, or a card without a decision. */
export type ChargeRow = Selectable<Tables['charges']>;

/** Stores the open charge of a payment. It replaces an earlier charge. */
export const putCharge = async (step: Ledger, charge: ChargeRow): Promise<void> => {
  await removeCharge(step, charge.payment_id);
  await step.insertInto('charges').values(charge).execute();
};

/** Removes the open charge of a payment, if any. */
export const removeCharge = async (step: Ledger, paymentId: string): Promise<void> => {
  await step.deleteFrom('charges').where('payment_id', '=', paymentId).execute();
};

/** Removes exactly this charge. A charge that replaced it stays. */
export const forgetCharge = async (ledger: Ledger, { payment_id, details }: ChargeRow): Promise<void> => {
  await ledger.deleteFrom('charges').where('payment_id', '=', payment_id).where('details', '=', details).execute();
};

/** The open charge of a payment; `undefined` without one. */
export const findCharge = (ledger: Ledger, paymentId: string): Promise<ChargeRow | undefined> =>
  ledger.selectFrom('charges').selectAll().where('payment_id', '=', paymentId).executeTakeFirst();

/** The charge that expires first; `undefined` without a charge that expires. */
export const firstToExpire = (ledger: Ledger): Promise<ChargeRow | undefined> =>
  ledger
    .selectFrom('charges')
    .selectAll()
    .where('expires_ms', 'is not', null)
    .orderBy('expires_ms')
    .limit(1)
    .executeTakeFirst();

/** A payout from the treasury to the receivers of one payment. */
export type PayoutRow = Selectable<Tables['payouts']>;

type PayoutAmount = { readonly chain: string; readonly token: string; readonly units: bigint };

/** Queues the payout of a payment. Runs in the transaction that changes the payment's status. */
export const queuePayout = async (
  step: Ledger,
  paymentId: string,
  { chain, token, units }: PayoutAmount,
  dueMs: number,
) => {
  const values = { payment_id: paymentId, chain, token, units: String(units), due_ms: dueMs, raw: null };
  await step.insertInto('payouts').values(values).execute();
};

/** The open payouts that are due. Payouts with a signed transaction come first, because it already has a nonce. */
export const duePayouts = (ledger: Ledger, now: number, limit: number): Promise<readonly PayoutRow[]> =>
  ledger
    .selectFrom('payouts')
    .selectAll()
    .where('is_done', '=', 0)
    .where('due_ms', '<=', now)
    .orderBy((order) => order('raw', 'is', null))
    .orderBy('due_ms')
    .limit(limit)
    .execute();

/** The due time of the next open payout; `undefined` when none is open. */
export const nextPayoutMs = async (ledger: Ledger): Promise<number | undefined> => {
  const open = ledger.selectFrom('payouts').select('due_ms').where('is_done', '=', 0);
  return (await open.orderBy('due_ms').limit(1).executeTakeFirst())?.due_ms;
};

/** Changes the payout of a payment. */
export const changePayout = async (
  ledger: Ledger,
  paymentId: string,
  change: Partial<Pick<PayoutRow, 'raw' | 'due_ms' | 'attempts' | 'is_done'>>,
): Promise<void> => {
  await ledger.updateTable('payouts').set(change).where('payment_id', '=', paymentId).execute();
};

/** A payment by its id, of any tenant; `undefined` without one. */
export const anyPayment = (ledger: Ledger, id: string): Promise<PaymentRow | undefined> =>
  ledger.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
