import type { Generated, Kysely } from 'kysely';
import type { LedgerFile } from './file.ts';

/** The ledger's rows. A transaction of it has the same type. */
export type Ledger = Kysely<Tables>;

/** Queries over an open file. Loaded on first use: the query builder takes longer to load than the server to start. */
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

/** The delivery of a webhook: `failed` was given up, `not_sent` has an address where the sandbox may not send. */
export type EventState = 'pending' | 'delivered' | 'failed' | 'not_sent';

/**
 * Rows as the ledger keeps them. Objects and lists are JSON text that keeps every digit; times are ISO 8601.
 * Those in `_ms` are the sandbox's milliseconds since 1970.
 */
export type Tables = {
  readonly settings: { name: string; value: string };
  readonly tenants: { id: string; key_hash: string; created_at: string };
  readonly keys_without_tenant: { key_hash: string; created_at: string };
  /** An order template. Its creation fields, unknown ones too, are JSON text; two of them are columns to filter by. */
  readonly orders: {
    /** Newer orders have higher ones. */
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
  /** A person: known by an e-mail address, a wallet, or both. A wallet that is here was proven by a signature. */
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
  /** An e-mail that the sandbox would have sent. */
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
    /** After this a failed delivery is not repeated. */
    until_ms: number;
    last_at: string | null;
    last_http: number | null;
    /** The beginning of the last answer, or why none came. */
    last_answer: string | null;
  };
  /** Each attempt to deliver a webhook, and the answer; without `http` none came, and `answer` has the reason. */
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
    /** The treasury's signed transaction, saved before it is sent. */
    raw: string | null;
    is_done: Generated<number>;
  };
  /** A charge that waits for its payer or for the control: one a payment. */
  readonly charges: { payment_id: string; kind: 'pix' | 'card'; details: string; expires_ms: number | null };
  /** An account of the Solana chain; lamports are a whole number up to 2^64, as text. */
  readonly solana_accounts: {
    address: string;
    lamports: string;
    owner: string;
    data: Uint8Array;
    executable: number;
  };
  /** An executed transaction. `error` is JSON, or `null` when it succeeded; `logs` is a JSON list. */
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
    /** Its effects, in JSON; `null` for one that was executed before they were stored. */
    effects: string | null;
  };
  /** An address that a transaction names, by the transaction's number. */
  readonly solana_transaction_keys: { address: string; number: number };
};

/** A payment: what was registered, and what its payer transaction added. */
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
  /** JSON of further fields, shown as they were given; `null` in rows of earlier versions. */
  more: string | null;
  /** SHA-256 of the token in `session_payment`. */
  session_hash: string | null;
  created_at: string;
  updated_at: string;
};
