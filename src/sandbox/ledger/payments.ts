import type { Insertable, Selectable, Updateable } from 'kysely';
import { queueEvent } from './events.ts';
import type { Ledger, PaymentTable } from './ledger.ts';

export type PaymentRow = Selectable<PaymentTable>;
export type NewPayment = Insertable<PaymentTable>;

/** The columns of a payment that may change, and the time in ISO 8601. */
export type Change = Updateable<Omit<PaymentTable, 'id' | 'tenant_id' | 'created_at'>> & {
  readonly updated_at: string;
};

/** Records a new payment and the first entry of its history, together. */
export const insertPayment = (ledger: Ledger, payment: NewPayment): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    await step.insertInto('payments').values(payment).execute();
    const first = { payment_id: payment.id, status: payment.status, at: payment.created_at };
    await step.insertInto('payment_history').values(first).execute();
  });

/** The payment of that id, of that tenant only. */
export const findPayment = (ledger: Ledger, tenant: string, id: string): Promise<PaymentRow | undefined> =>
  ledger.selectFrom('payments').selectAll().where('id', '=', id).where('tenant_id', '=', tenant).executeTakeFirst();

/** The payment of that id, if that is the hash of its page's token. */
export const findBySession = (ledger: Ledger, id: string, hash: string): Promise<PaymentRow | undefined> =>
  ledger.selectFrom('payments').selectAll().where('id', '=', id).where('session_hash', '=', hash).executeTakeFirst();

/** All payments of a status, of whichever tenant, the oldest first. */
export const paymentsIn = (ledger: Ledger, status: string): Promise<readonly PaymentRow[]> =>
  ledger.selectFrom('payments').selectAll().where('status', '=', status).orderBy('created_at').execute();

/** Whether a transaction has paid a payment other than this one: two alike, of one payer, can have the same bytes. */
export const hasPaidAnother = async (ledger: Ledger, id: string, hash: string): Promise<boolean> => {
  const found = await ledger.selectFrom('payments').select('id').where('tid_hash', '=', hash).executeTakeFirst();
  return found !== undefined && found.id !== id;
};

/** The state that a payment must still have for a change. `session_hash` is another with each payer transaction. */
export type ExpectedState = {
  readonly id: string;
  readonly statuses: readonly string[];
  readonly unsigned_tx?: string;
  readonly session_hash?: string | null;
};

type Also = (step: Ledger) => Promise<unknown>;

const changeInStep = async (step: Ledger, expected: ExpectedState, change: Change, also?: Also): Promise<boolean> => {
  const updated = await step
    .updateTable('payments')
    .set(change)
    .where('id', '=', expected.id)
    .where('status', 'in', expected.statuses)
    .$if(expected.unsigned_tx !== undefined, (query) => query.where('unsigned_tx', '=', expected.unsigned_tx ?? ''))
    .$if(expected.session_hash !== undefined, (query) =>
      query.where('session_hash', 'is', expected.session_hash ?? null),
    )
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) return false;
  await also?.(step);
  if (change.status === undefined) return true;
  const entry = { payment_id: expected.id, status: change.status, at: change.updated_at };
  await step.insertInto('payment_history').values(entry).execute();
  await queueEvent(step, expected.id, change.updated_at);
  return true;
};

/**
 * Changes a payment if it still is as expected. `also` happens with it, and when its status changes,
 * its history and the queue of webhooks get an entry: all of it or nothing. `false` when it was no longer as expected.
 */
export const changePayment = (ledger: Ledger, expected: ExpectedState, change: Change, also?: Also): Promise<boolean> =>
  ledger.transaction().execute((step) => changeInStep(step, expected, change, also));

/** Changes a payment several times in one commit: no crash leaves it between two of them. */
export const changePaymentThrough = (
  ledger: Ledger,
  expected: ExpectedState,
  changes: readonly (Change & { readonly status: string })[],
): Promise<boolean> =>
  ledger.transaction().execute(async (step) => {
    let statuses = expected.statuses;
    for (const change of changes) {
      if (!(await changeInStep(step, { ...expected, statuses }, change))) return false;
      statuses = [change.status];
    }
    return true;
  });

/** The statuses a payment went through, oldest first. */
export const historyOf = (ledger: Ledger, id: string): Promise<readonly { status: string; at: string }[]> =>
  ledger.selectFrom('payment_history').select(['status', 'at']).where('payment_id', '=', id).orderBy('seq').execute();

/** Forgets all payments, orders, users and settings; tenants and their keys stay. */
export const forgetAll = (ledger: Ledger): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    for (const table of FORGOTTEN) await step.deleteFrom(table).execute();
  });

/** Rows that refer to others come first. */
const FORGOTTEN = [
  ...(['webhook_deliveries', 'webhook_events', 'payouts', 'charges', 'payment_history', 'payments', 'orders'] as const),
  ...(['kyc_sessions', 'kyc_users', 'wallet_challenges', 'email_codes', 'inbox', 'settings'] as const),
];
