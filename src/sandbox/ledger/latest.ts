import type { ExpressionBuilder } from 'kysely';
import type { EventRow } from './events.ts';
import type { Email, UserRow } from './identities.ts';
import type { EventState, Ledger, Tables } from './ledger.ts';
import type { OrderRow } from './orders.ts';
import type { PaymentRow } from './payments.ts';

/** A request for one page of a list, newest first: up to `limit` rows that come after a cursor, or from the start. */
export type PageRequest = { readonly cursor?: string | undefined; readonly limit: number };

/** One page of a list. `next` is the cursor of the next page; `undefined` on the last page. */
export type RowsPage<T> = { readonly rows: readonly T[]; readonly next: string | undefined };

/** The page of rows that were read with a limit of one more: the extra row means that there is a next page. */
const pageOf = <T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string): RowsPage<T> => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last ? cursorOf(last) : undefined };
};

/** The `seq` of a cursor. Without a valid cursor it is above all rows. */
const seqOf = (cursor: string | undefined): number =>
  cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER;

/**
 * A filter of payments. `search` is a part of an id, a wallet, a hash or an order; for the owner also of an e-mail
 * address.
 */
export type PaymentFilter = {
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  readonly isOwner?: boolean;
};

/** A filter by a text alone. */
type TextFilter = Omit<PaymentFilter, 'status'>;

/** A condition: a column contains a text, in any case. */
const contains =
  <T extends keyof Tables, C extends string>(where: ExpressionBuilder<Tables, T>, text: string) =>
  (column: C) =>
    where(where.fn<number>('instr', [where.fn('lower', [column as never]), where.val(text.toLowerCase())]), '>', 0);

const SEARCHED = ['id', 'payer_wallet', 'tid_hash', 'order_code'] as const;

/** Payments of all tenants, newest first. Ids order payments of the same millisecond. */
export const latestPayments = async (
  ledger: Ledger,
  { cursor, limit }: PageRequest,
  { status = '', search = '', isOwner = false }: PaymentFilter = {},
): Promise<RowsPage<PaymentRow>> => {
  const [at = '', id = ''] = cursor?.split('~') ?? [];
  const columns = [...SEARCHED, ...(isOwner ? (['payer_email'] as const) : [])];
  const rows = await ledger
    .selectFrom('payments')
    .selectAll()
    .$if(status !== '', (query) => query.where('status', '=', status))
    .$if(search !== '', (query) => query.where((where) => where.or(columns.map(contains(where, search)))))
    .$if(at !== '', (query) =>
      query.where((where) => where(where.refTuple('created_at', 'id'), '<', where.tuple(at, id))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => `${row.created_at}~${row.id}`);
};

/** A query of a table with the column `seq`. */
type BySeq<T> = {
  readonly orderBy: (
    column: 'seq',
    direction: 'desc',
  ) => {
    readonly limit: (count: number) => { readonly execute: () => Promise<readonly T[]> };
  };
};

const newestOf = async <T extends { readonly seq: number }>(query: BySeq<T>, limit: number): Promise<RowsPage<T>> => {
  const rows = await query
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, ({ seq }) => String(seq));
};

/**
 * Orders of all tenants, newest first. `search` is a part of an id; for the owner also of a field, such as an amount or a
 * currency.
 */
export const latestOrders = (
  ledger: Ledger,
  { cursor, limit }: PageRequest,
  { active, search = '', isOwner = false }: TextFilter & { readonly active?: boolean | undefined },
): Promise<RowsPage<OrderRow>> => {
  const searched: readonly ('id' | 'fields')[] = isOwner ? ['id', 'fields'] : ['id'];
  const rows = ledger
    .selectFrom('orders')
    .selectAll()
    .where('seq', '<', seqOf(cursor))
    .$if(active !== undefined, (query) => query.where('active', '=', active ? 1 : 0))
    .$if(search !== '', (query) => query.where((where) => where.or(searched.map(contains(where, search)))));
  return newestOf(rows, limit);
};

/** E-mails to all addresses, newest first. `search` is a part of an address, a subject or a text; only the owner finds any. */
export const latestEmails = (
  ledger: Ledger,
  { cursor, limit }: PageRequest,
  { search = '', isOwner = false }: TextFilter,
): Promise<RowsPage<Email>> => {
  const columns = ['seq', 'recipient as to', 'subject', 'text', 'code', 'sent_at'] as const;
  const searched: readonly ('recipient' | 'subject' | 'text')[] = isOwner ? ['recipient', 'subject', 'text'] : [];
  const rows = ledger
    .selectFrom('inbox')
    .select(columns)
    .where('seq', '<', seqOf(cursor))
    .$if(search !== '', (query) => query.where((where) => where.or(searched.map(contains(where, search)))));
  return newestOf(rows, limit);
};

/** Webhooks of all payments, newest first. With `state`, only webhooks with this state of delivery. */
export const latestEvents = (ledger: Ledger, { cursor, limit }: PageRequest, state = ''): Promise<RowsPage<EventRow>> =>
  newestOf(
    ledger
      .selectFrom('webhook_events')
      .selectAll()
      .where('seq', '<', seqOf(cursor))
      .$if(state !== '', (query) => query.where('state', '=', state as EventState)),
    limit,
  );

/**
 * Users of KYC, newest first, with the status of the last session. `search` is a part of a wallet; for the owner also
 * of an e-mail.
 */
export const latestUsers = async (
  ledger: Ledger,
  { cursor, limit }: PageRequest,
  { search = '', isOwner = false }: TextFilter,
): Promise<RowsPage<UserRow & { readonly session: string | null }>> => {
  const [at = '', id = ''] = cursor?.split('~') ?? [];
  const columns = isOwner ? (['wallet', 'email'] as const) : (['wallet'] as const);
  const rows = await ledger
    .selectFrom('kyc_users')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('kyc_sessions')
        .select('kyc_sessions.status')
        .whereRef('kyc_sessions.user_id', '=', 'kyc_users.id')
        .orderBy('kyc_sessions.seq', 'desc')
        .limit(1)
        .as('session'),
    )
    .$if(at !== '', (query) =>
      query.where((where) => where(where.refTuple('created_at', 'id'), '<', where.tuple(at, id))),
    )
    .$if(search !== '', (query) => query.where((where) => where.or(columns.map(contains(where, search)))))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => `${row.created_at}~${row.id}`);
};

/** The creation times and the current statuses of the newest payments, oldest first. */
export const latestStatuses = async (ledger: Ledger, limit: number) => {
  const rows = ledger.selectFrom('payments').select(['created_at', 'status']).orderBy('created_at', 'desc');
  return (await rows.limit(limit).execute()).toReversed();
};

/** The number of rows of a table. */
export const countOf = async (ledger: Ledger, table: keyof Tables): Promise<number> => {
  const all = ledger.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await all.executeTakeFirstOrThrow()).count;
};

/** The number of changed rows since the ledger was opened. An equal number means an unchanged ledger. */
export const changesOf = async (ledger: Ledger): Promise<number> => {
  const total = ledger.selectNoFrom(({ fn }) => fn<number>('total_changes', []).as('changes'));
  return (await total.executeTakeFirstOrThrow()).changes;
};

const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/**
 * Addresses of wallets on the Solana chain, newest first, and their total number. A wallet belongs to the System
 * program.
 */
export const latestWallets = async (
  ledger: Ledger,
  limit: number,
): Promise<{ readonly wallets: readonly string[]; readonly total: number }> => {
  const rows = await ledger
    .selectFrom('solana_accounts')
    .select('address')
    .where('owner', '=', SYSTEM_PROGRAM)
    .orderBy(ledger.dynamic.ref<'address'>('rowid'), 'desc')
    .limit(limit)
    .execute();
  const { total } = await ledger
    .selectFrom('solana_accounts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('owner', '=', SYSTEM_PROGRAM)
    .executeTakeFirstOrThrow();
  return { wallets: rows.map(({ address }) => address), total };
};
