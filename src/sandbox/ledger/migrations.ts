/** One change of the ledger's tables. Its number never changes. Steps run in the order of their numbers. */
export type Step = { readonly number: number; readonly sql: string };

/** The SQL of each step by its number. JavaScript lists numeric keys in ascending order. */
const STEPS: Readonly<Record<number, string>> = {
  /** Payments, tenants and settings: the tables of the first version. */
  1: `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    key_hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE payments (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    status TEXT NOT NULL,
    executor_id TEXT NOT NULL,
    order_code TEXT,
    tenant_data TEXT NOT NULL,
    payment_method_allowed TEXT NOT NULL,
    gateway_method TEXT NOT NULL,
    split_payment_config TEXT NOT NULL,
    transaction_type TEXT,
    payer_email TEXT NOT NULL DEFAULT '',
    payer_wallet TEXT NOT NULL DEFAULT '',
    payer_token_symbol TEXT,
    payer_cpf TEXT,
    tid_hash TEXT UNIQUE,
    from_currency_symbol TEXT NOT NULL,
    to_currency_symbol TEXT NOT NULL,
    amount_from TEXT NOT NULL,
    amount_to TEXT NOT NULL,
    chain_name TEXT NOT NULL DEFAULT '',
    from_chain TEXT NOT NULL DEFAULT '',
    to_chain TEXT NOT NULL,
    on_ramp INTEGER NOT NULL,
    unsigned_tx TEXT,
    signed_tx TEXT,
    global_payment_data TEXT NOT NULL,
    data_error TEXT,
    metadata TEXT,
    session_hash TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payments_by_tenant ON payments (tenant_id, created_at);
  CREATE INDEX payments_by_status ON payments (status);

  CREATE TABLE payment_history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    payment_id TEXT NOT NULL REFERENCES payments (id),
    status TEXT NOT NULL,
    at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payment_history_by_payment ON payment_history (payment_id, seq);
  `,
  /** Order templates, and keys without a tenant. */
  100: `
  CREATE TABLE keys_without_tenant (key_hash TEXT PRIMARY KEY, created_at TEXT NOT NULL) STRICT;

  CREATE TABLE orders (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    active INTEGER NOT NULL,
    gateway_method TEXT NOT NULL,
    on_ramp INTEGER NOT NULL,
    fields TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX orders_by_tenant ON orders (tenant_id, seq);
  `,
  /** KYC: users, wallet challenges, e-mail codes, sessions, and the inbox. */
  101: `
  CREATE TABLE kyc_users (
    id TEXT PRIMARY KEY,
    email TEXT UNIQUE,
    wallet TEXT UNIQUE,
    email_verified INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    is_blocklisted INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    CHECK (email IS NOT NULL OR wallet IS NOT NULL)
  ) STRICT;

  CREATE TABLE kyc_sessions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES kyc_users (id),
    status TEXT NOT NULL,
    ip_info TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX kyc_sessions_by_user ON kyc_sessions (user_id, seq);
  CREATE INDEX kyc_sessions_by_time ON kyc_sessions (created_at);
  CREATE INDEX kyc_sessions_by_status ON kyc_sessions (status, expires_at);

  CREATE TABLE wallet_challenges (
    message TEXT PRIMARY KEY,
    wallet TEXT NOT NULL,
    purpose TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE email_codes (
    email TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    wrong_answers INTEGER NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE inbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    code TEXT,
    sent_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX inbox_by_recipient ON inbox (recipient, seq);
  `,
  /** Webhooks. */
  200: `
  CREATE TABLE webhook_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    payment_id TEXT NOT NULL REFERENCES payments (id),
    payment_status TEXT NOT NULL,
    url TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    next_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    last_at TEXT,
    last_http INTEGER,
    last_answer TEXT
  ) STRICT;
  CREATE INDEX webhook_events_by_state ON webhook_events (state, next_ms, seq);
  CREATE INDEX webhook_events_by_payment ON webhook_events (payment_id, seq);
  `,
  /** Payouts of the treasury to receivers. */
  201: `
  CREATE TABLE payouts (
    payment_id TEXT PRIMARY KEY REFERENCES payments (id),
    chain TEXT NOT NULL,
    token TEXT NOT NULL,
    units TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    raw TEXT,
    is_done INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX payouts_by_time ON payouts (is_done, due_ms);
  `,
  /** Open charges of payments: Pix or card. */
  202: `
  CREATE TABLE charges (
    payment_id TEXT PRIMARY KEY REFERENCES payments (id),
    kind TEXT NOT NULL,
    details TEXT NOT NULL,
    expires_ms INTEGER
  ) STRICT;
  CREATE INDEX charges_by_expiry ON charges (expires_ms);
  `,
  /** Attempts to deliver webhooks. */
  203: `
  CREATE TABLE webhook_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event_seq INTEGER NOT NULL REFERENCES webhook_events (seq),
    at TEXT NOT NULL,
    http INTEGER,
    answer TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_seq, seq);
  `,
  /** The Solana chain: the current accounts, and the executed transactions. */
  300: `
  CREATE TABLE solana_accounts (
    address TEXT PRIMARY KEY,
    lamports TEXT NOT NULL,
    owner TEXT NOT NULL,
    data BLOB NOT NULL,
    executable INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE solana_transactions (
    signature TEXT PRIMARY KEY,
    slot INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes BLOB NOT NULL,
    error TEXT,
    logs TEXT NOT NULL,
    units TEXT NOT NULL
  ) STRICT;
  CREATE INDEX solana_transactions_by_slot ON solana_transactions (slot);
  `,
  /** The effects of Solana transactions, and an index by address. Transactions of older ledgers have neither. */
  301: `
  ALTER TABLE solana_transactions ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE solana_transactions ADD COLUMN effects TEXT;
  UPDATE solana_transactions SET number = rowid;
  CREATE UNIQUE INDEX solana_transactions_by_number ON solana_transactions (number);

  CREATE TABLE solana_transaction_keys (
    address TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (address, number)
  ) STRICT, WITHOUT ROWID;
  `,
  /** An index of all payments by time, for the dashboard. */
  400: 'CREATE INDEX payments_by_time ON payments (created_at, id);',
  /** Further fields of a registration, as JSON. */
  401: 'ALTER TABLE payments ADD COLUMN more TEXT;',
};

/**
 * The migrations to the current ledger, by number. A released step never changes. A ledger may lack any of the steps,
 * also steps below its highest number.
 */
export const MIGRATIONS: readonly Step[] = Object.entries(STEPS).map(([number, sql]) => ({
  number: Number(number),
  sql,
}));
