import type { Generated, Kysely } from 'kysely';
import type { LedgerFile } from './file.ts';

/** Queries over the ledger. A transaction of the ledger has the same type. */
export type Ledger = Kysely<Tables>;

/**
 * Opens queries over an open file. The query builder loads here, because it takes longer to load than the server to
 * start.
 */
export const connect = async (file: LedgerFile): Promise<Ledger> => {
  const [{ Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler }, { groupDriver }] = await Promise.all([
    import('kysely'),
    import('./group-driver.ts'),
  ]);
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => groupDriver(file),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
};

/** The state of a webhook's delivery. `failed`: no more attempts. `not_sent`: the sandbox may not send to the address. */
export type EventState = 'pending' | 'delivered' | 'failed' | 'not_sent';

/**
 * The rows of the ledger. Objects and lists are JSON text with exact numbers. Times are ISO 8601. Times in columns with
 * `_ms` are milliseconds since 1970, of the sandbox's clock.
 */
export type Tables = {
  readonly settings: { name: string; value: string };
  readonly tenants: { id: string; key_hash: string; created_at: string };
  readonly keys_without_tenant: { key_hash: string; created_at: string };
  /** An order template. `fields` holds all its fields as JSON, also unknown ones. Two of them are columns for filters. */
  readonly orders: {
    /** Newer orders have higher numbers. */
    seq: Generated<number>;
    id: string;
    tenant_id: string;
    active: number;
    gateway_method: string;
    on_ramp: number;
    fields: string;
    created_at: string;
    updated_at: string;
  };
  /** A user of KYC, by e-mail address, wallet or both. Every stored wallet was proven by a signature. */
  readonly kyc_users: {
    id: string;
    email: string | null;
    wallet: string | null;
    email_verified: Generated<number>;
    status: string;
    is_blocklisted: Generated<number>;
    created_at: string;
  };
  /** A hosted verification session. */
  readonly kyc_sessions: {
    seq: Generated<number>;
    id: string;
    user_id: string;
    status: string;
    ip_info: string;
    created_at: string;
    expires_at: string;
  };
  readonly wallet_challenges: { message: string; wallet: string; purpose: string; expires_at: string };
  readonly email_codes: { email: string; code: string; wrong_answers: number; expires_at: string };
  /** An e-mail. The sandbox stores e-mails and sends none. */
  readonly inbox: {
    seq: Generated<number>;
    recipient: string;
    subject: string;
    text: string;
    code: string | null;
    sent_at: string;
  };
  readonly payments: PaymentTable;
  readonly payment_history: { seq: Generated<number>; payment_id: string; status: string; at: string };
  readonly webhook_events: {
    seq: Generated<number>;
    payment_id: string;
    payment_status: string;
    url: string;
    payload: string;
    state: EventState;
    attempts: Generated<number>;
    created_at: string;
    next_ms: number;
    /** A failed delivery is repeated until this time. */
    until_ms: number;
    last_at: string | null;
    last_http: number | null;
    /** The beginning of the last answer, or the reason for no answer. */
    last_answer: string | null;
  };
  /** An attempt to deliver a webhook, and its answer. Without an answer `http` is null and `answer` has the reason. */
  readonly webhook_deliveries: {
    seq: Generated<number>;
    event_seq: number;
    at: string;
    http: number | null;
    answer: string;
  };
  readonly payouts: {
    payment_id: string;
    chain: string;
    token: string;
    /** Smallest units, before the split. */
    units: string;
    due_ms: number;
    attempts: Generated<number>;
    /** The treasury's signed transaction. It is stored before it is sent. */
    raw: string | null;
    is_done: Generated<number>;
  };
  /** The open charge of a payment: it waits for the payer or for the control. */
  readonly charges: { payment_id: string; kind: 'pix' | 'card'; details: string; expires_ms: number | null };
  /** An account of the Solana chain. Lamports are text, because a whole number up to 2^64 does not fit a column. */
  readonly solana_accounts: {
    address: string;
    lamports: string;
    owner: string;
    data: Uint8Array;
    executable: number;
  };
  /** An executed Solana transaction. `error` is JSON, or `null` after success. `logs` is a JSON list. */
  readonly solana_transactions: {
    signature: string;
    slot: number;
    at: string;
    bytes: Uint8Array;
    error: string | null;
    logs: string;
    units: string;
    /** Its place in the order of execution, from 1. */
    number: number;
    /** Its effects as JSON; `null` if a version without this column executed it. */
    effects: string | null;
  };
  /** An address in a Solana transaction, with the transaction's number. */
  readonly solana_transaction_keys: { address: string; number: number };
};

/** A payment: the fields of its registration and of its payer transaction. */
export type PaymentTable = {
  id: string;
  tenant_id: string;
  status: string;
  executor_id: string;
  order_code: string | null;
  tenant_data: string;
  payment_method_allowed: string;
  gateway_method: string;
  split_payment_config: string;
  /** `null` until the payer transaction is created. */
  transaction_type: string | null;
  payer_email: Generated<string>;
  payer_wallet: Generated<string>;
  payer_token_symbol: string | null;
  payer_cpf: string | null;
  tid_hash: string | null;
  from_currency_symbol: string;
  to_currency_symbol: string;
  amount_from: string;
  amount_to: string;
  chain_name: Generated<string>;
  from_chain: Generated<string>;
  to_chain: string;
  on_ramp: number;
  unsigned_tx: string | null;
  signed_tx: string | null;
  global_payment_data: string;
  data_error: string | null;
  metadata: string | null;
  /** JSON of further registration fields, which answers show unchanged; `null` in rows of earlier versions. */
  more: string | null;
  /** SHA-256 of the token in `session_payment`. */
  session_hash: string | null;
  created_at: string;
  updated_at: string;
};
