import type { ExpressionBuilder } from 'kysely';
import type { EventRow } from './events.ts';
import type { Email, UserRow } from './identities.ts';
import type { EventState, Ledger, Tables } from './ledger.ts';
import type { OrderRow } from './orders.ts';
import type { PaymentRow } from './payments.ts';

/** A part of a list, newest first: `most` of what came before a place in it, or of all. */
export type PageRequest = { readonly before?: string | undefined; readonly most: number };

/** Such a part, and the place that the next one is before; without it there is no more. */
export type RowsPage<T> = { readonly rows: readonly T[]; readonly next: string | undefined };

/** One row more is read than shown: it means that there is a next page. */
const partOf = <T>(rows: readonly T[], most: number, place: (row: T) => string): RowsPage<T> => {
  const shown = rows.slice(0, most);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > most && last ? place(last) : undefined };
};

const seqOf = (before: string | undefined): number =>
  before !== undefined && /^\d{1,15}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;

/** Which payments are wanted. `search` is a part of an id, wallet, hash or order, and for the owner of an e-mail address. */
export type PaymentFilter = {
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  readonly isOwner?: boolean;
};

/** Whether a column has a text in it, in any case. */
const contains =
  <T extends keyof Tables, C extends string>(where: ExpressionBuilder<Tables, T>, text: string) =>
  (column: C) =>
    where(where.fn<number>('instr', [where.fn('lower', [column as never]), where.val(text.toLowerCase())]), '>', 0);

const SEARCHED = ['id', 'payer_wallet', 'tid_hash', 'order_code'] as const;

/** Payments of all tenants. Of two of the same millisecond the ids decide. */
export const latestPayments = async (
  ledger: Ledger,
  { before, most }: PageRequest,
  { status = '', search = '', isOwner = false }: PaymentFilter = {},
): Promise<RowsPage<PaymentRow>> => {
  const [at = '', id = ''] = before?.split('~') ?? [];
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
    .limit(most + 1)
    .execute();
  return partOf(rows, most, (row) => `${row.created_at}~${row.id}`);
};

/** A query of a table whose rows are counted by `seq`. */
type BySeq<T> = {
  readonly orderBy: (
    column: 'seq',
    direction: 'desc',
  ) => {
    readonly limit: (most: number) => { readonly execute: () => Promise<readonly T[]> };
  };
};

const newestOf = async <T extends { readonly seq: number }>(query: BySeq<T>, most: number): Promise<RowsPage<T>> => {
  const oneMore = most + 1;
  const rows = await query.orderBy('seq', 'desc').limit(oneMore).execute();
  return partOf(rows, most, ({ seq }) => String(seq));
};

/** Orders of all tenants. */
export const latestOrders = (ledger: Ledger, { before, most }: PageRequest): Promise<RowsPage<OrderRow>> =>
  newestOf(ledger.selectFrom('orders').selectAll().where('seq', '<', seqOf(before)), most);

/** E-mails to everybody. */
export const latestEmails = (ledger: Ledger, { before, most }: PageRequest): Promise<RowsPage<Email>> => {
  const columns = ['seq', 'recipient as to', 'subject', 'text', 'code', 'sent_at'] as const;
  return newestOf(ledger.selectFrom('inbox').select(columns).where('seq', '<', seqOf(before)), most);
};

/** Webhooks about all payments, or those whose delivery is in a state. */
export const latestEvents = (ledger: Ledger, { before, most }: PageRequest, state = ''): Promise<RowsPage<EventRow>> =>
  newestOf(
    ledger
      .selectFrom('webhook_events')
      .selectAll()
      .where('seq', '<', seqOf(before))
      .$if(state !== '', (query) => query.where('state', '=', state as EventState)),
    most,
  );

/** The users of KYC, newest first, each with the status of its last session. `search`: a part of e-mail or wallet. */
export const latestUsers = async (
  ledger: Ledger,
  { before, most }: PageRequest,
  { search = '', isOwner = false }: Pick<PaymentFilter, 'search' | 'isOwner'>,
): Promise<RowsPage<UserRow & { readonly session: string | null }>> => {
  const [at = '', id = ''] = before?.split('~') ?? [];
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
    .limit(most + 1)
    .execute();
  return partOf(rows, most, (row) => `${row.created_at}~${row.id}`);
};

/** When the newest payments were made, and their status now; oldest first. */
export const latestStatuses = async (ledger: Ledger, most: number) => {
  const rows = ledger.selectFrom('payments').select(['created_at', 'status']).orderBy('created_at', 'desc');
  return (await rows.limit(most).execute()).toReversed();
};

/** The number of rows of a table. */
export const countOf = async (ledger: Ledger, table: keyof Tables): Promise<number> => {
  const all = ledger.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await all.executeTakeFirstOrThrow()).count;
};

/** The number of rows changed since the ledger was opened: an equal number means an unchanged ledger. */
export const changesOf = async (ledger: Ledger): Promise<number> => {
  const total = ledger.selectNoFrom(({ fn }) => fn<number>('total_changes', []).as('changes'));
  return (await total.executeTakeFirstOrThrow()).changes;
};

const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Addresses on the Solana chain that hold coin and belong to nobody but their key, newest first, and how many there are. */
export const latestWallets = async (
  ledger: Ledger,
  most: number,
): Promise<{ readonly wallets: readonly string[]; readonly total: number }> => {
  const rows = await ledger
    .selectFrom('solana_accounts')
    .select('address')
    .where('owner', '=', SYSTEM_PROGRAM)
    .orderBy(ledger.dynamic.ref<'address'>('rowid'), 'desc')
    .limit(most)
    .execute();
  const { total } = await ledger
    .selectFrom('solana_accounts')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('owner', '=', SYSTEM_PROGRAM)
    .executeTakeFirstOrThrow();
  return { wallets: rows.map(({ address }) => address), total };
};
