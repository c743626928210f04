import type { Insertable, Selectable, Updateable } from 'kysely';
import { queueEvent } from './events.ts';
import type { Ledger, PaymentTable } from './ledger.ts';

/** A stored payment. */
export type PaymentRow = Selectable<PaymentTable>;
/** A payment to store. */
export type NewPayment = Insertable<PaymentTable>;

/** A change of a payment: its new columns, and the time in ISO 8601. */
export type Change = Updateable<Omit<PaymentTable, 'id' | 'tenant_id' | 'created_at'>> & {
  readonly updated_at: string;
};

/** Stores a new payment and the first entry of its history in one transaction. */
export const insertPayment = (ledger: Ledger, payment: NewPayment): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    await step.insertInto('payments').values(payment).execute();
    const first = { payment_id: payment.id, status: payment.status, at: payment.created_at };
    await step.insertInto('payment_history').values(first).execute();
  });

/** A payment of a tenant by its id; `undefined` for an unknown id and for another tenant's payment. */
export const findPayment = (ledger: Ledger, tenant: string, id: string): Promise<PaymentRow | undefined> =>
  ledger.selectFrom('payments').selectAll().where('id', '=', id).where('tenant_id', '=', tenant).executeTakeFirst();

/** A payment by its id and the hash of its page's token; `undefined` when one of them does not match. */
export const findBySession = (ledger: Ledger, id: string, hash: string): Promise<PaymentRow | undefined> =>
  ledger.selectFrom('payments').selectAll().where('id', '=', id).where('session_hash', '=', hash).executeTakeFirst();

/** All payments of a status, of all tenants, oldest first. */
export const paymentsIn = (ledger: Ledger, status: string): Promise<readonly PaymentRow[]> =>
  ledger.selectFrom('payments').selectAll().where('status', '=', status).orderBy('created_at').execute();

/** Whether a transaction has paid another payment. Two equal payments of one payer can have the same transaction bytes. */
export const hasPaidAnother = async (ledger: Ledger, id: string, hash: string): Promise<boolean> => {
  const found = await ledger.selectFrom('payments').select('id').where('tid_hash', '=', hash).executeTakeFirst();
  return found !== undefined && found.id !== id;
};

/** The state that a payment must still have for a change. `session_hash` differs for each payer transaction. */
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
 * Changes a payment that still has the expected state; otherwise returns `false`. `also` runs in the same transaction.
 * A new status also adds an entry to the payment's history and queues a webhook.
 */
export const changePayment = (ledger: Ledger, expected: ExpectedState, change: Change, also?: Also): Promise<boolean> =>
  ledger.transaction().execute((step) => changeInStep(step, expected, change, also));

/** Changes a payment several times in one transaction, so that no crash leaves it between two changes. */
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

/** All statuses of a payment with their times, oldest first. */
export const historyOf = (ledger: Ledger, id: string): Promise<readonly { status: string; at: string }[]> =>
  ledger.selectFrom('payment_history').select(['status', 'at']).where('payment_id', '=', id).orderBy('seq').execute();

/** Deletes all payments, orders, users and settings; tenants and their keys stay. */
export const deleteRecords = (ledger: Ledger): Promise<void> =>
  ledger.transaction().execute(async (step) => {
    for (const table of RECORD_TABLES) await step.deleteFrom(table).execute();
  });

/** Tables that refer to other tables come first. */
const RECORD_TABLES = [
  ...(['webhook_deliveries', 'webhook_events', 'payouts', 'charges', 'payment_history', 'payments', 'orders'] as const),
  ...(['kyc_sessions', 'kyc_users', 'wallet_challenges', 'email_codes', 'inbox', 'settings'] as const),
];
