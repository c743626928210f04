import type { Selectable } from 'kysely';
import type { Ledger } from './ledger.ts';
import type { MoneyTables } from './tables.ts';

/** What a payment waits for: a Pix that can be paid, or a card that is not decided. */
export type ChargeRow = Selectable<MoneyTables['charges']>;

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

/** What a payment waits for; `undefined` where it waits for nothing. */
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
