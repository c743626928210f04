import type { Selectable } from 'kysely';
import type { Ledger, Tables } from './ledger.ts';
import type { PaymentRow } from './payments.ts';

/** An open charge of a payment: a payable Pix, or an undecided card. */
export type ChargeRow = Selectable<Tables['charges']>;

/** Records what a payment waits for, in the place of what it waited for before. */
export const putCharge = async (step: Ledger, charge: ChargeRow): Promise<void> => {
  await removeCharge(step, charge.payment_id);
  await step.insertInto('charges').values(charge).execute();
};

/** After it the payment waits for nothing. */
export const removeCharge = async (step: Ledger, paymentId: string): Promise<void> => {
  await step.deleteFrom('charges').where('payment_id', '=', paymentId).execute();
};

/** Removes a charge, and none that took its place. */
export const forgetCharge = async (ledger: Ledger, { payment_id, details }: ChargeRow): Promise<void> => {
  await ledger.deleteFrom('charges').where('payment_id', '=', payment_id).where('details', '=', details).execute();
};

/** The open charge of a payment; `undefined` where it has none. */
export const findCharge = (ledger: Ledger, paymentId: string): Promise<ChargeRow | undefined> =>
  ledger.selectFrom('charges').selectAll().where('payment_id', '=', paymentId).executeTakeFirst();

/** The charge that expires first; `undefined` when none will. */
export const firstToExpire = (ledger: Ledger): Promise<ChargeRow | undefined> =>
  ledger
    .selectFrom('charges')
    .selectAll()
    .where('expires_ms', 'is not', null)
    .orderBy('expires_ms')
    .limit(1)
    .executeTakeFirst();

export type PayoutRow = Selectable<Tables['payouts']>;

type Owed = { readonly chain: string; readonly token: string; readonly units: bigint };

/** Records what the treasury owes the receivers of a payment, in the transaction that moves the payment. */
export const queuePayout = async (step: Ledger, paymentId: string, { chain, token, units }: Owed, dueMs: number) => {
  const values = { payment_id: paymentId, chain, token, units: String(units), due_ms: dueMs, raw: null };
  await step.insertInto('payouts').values(values).execute();
};

/** Payouts that are due: those with a signed transaction first, for its nonce is taken. */
export const duePayouts = (ledger: Ledger, now: number, most: number): Promise<readonly PayoutRow[]> =>
  ledger
    .selectFrom('payouts')
    .selectAll()
    .where('is_done', '=', 0)
    .where('due_ms', '<=', now)
    .orderBy((order) => order('raw', 'is', null))
    .orderBy('due_ms')
    .limit(most)
    .execute();

/** The due time of the next open payout; `undefined` when none is open. */
export const nextPayoutMs = async (ledger: Ledger): Promise<number | undefined> => {
  const open = ledger.selectFrom('payouts').select('due_ms').where('is_done', '=', 0);
  return (await open.orderBy('due_ms').limit(1).executeTakeFirst())?.due_ms;
};

/** Changes an open payout. */
export const changePayout = async (
  ledger: Ledger,
  paymentId: string,
  change: Partial<Pick<PayoutRow, 'raw' | 'due_ms' | 'attempts' | 'is_done'>>,
): Promise<void> => {
  await ledger.updateTable('payouts').set(change).where('payment_id', '=', paymentId).execute();
};

/** A payment by its id, whose tenant does not matter here. */
export const anyPayment = (ledger: Ledger, id: string): Promise<PaymentRow | undefined> =>
  ledger.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
