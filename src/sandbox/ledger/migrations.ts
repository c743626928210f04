import type { Step } from './money-steps.ts';
import { MONEY_STEPS } from './money-steps.ts';

/** Users of the identity verification, what proves them, their sessions, and the e-mails they were sent. */
const IDENTITY_STEP: Step = {
  number: 101,
  sql: `
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
};

/** The Solana chain: its accounts as they are, and the transactions that were executed. */
const CHAIN_STEP: Step = {
  number: 300,
  sql: `
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
};

/** The effects of a transaction, and the addresses that find it. Transactions of older ledgers have neither. */
const HISTORY_STEP: Step = {
  number: 301,
  sql: `
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
};

/** The Solana chain's tables. */
const SOLANA_STEPS: readonly Step[] = [CHAIN_STEP, HISTORY_STEP];

/** Order templates, and keys that belong to no tenant. */
const ORDERS_STEP: Step = {
  number: 100,
  sql: `
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
};

/** Payments of all tenants by their time, as the dashboard lists them. */
const PAGES_STEP: Step = {
  number: 400,
  sql: 'CREATE INDEX payments_by_time ON payments (created_at, id);',
};

/** Further fields of a registration, as JSON. */
const MORE_STEP: Step = { number: 401, sql: 'ALTER TABLE payments ADD COLUMN more TEXT;' };

/** Payments, tenants and settings: what every ledger began with. */
const FIRST_STEP: Step = {
  number: 1,
  sql: `
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
};

/**
 * What turns an older ledger into today's, by number. A step that was released is never changed; a ledger may lack
 * any of them, whatever the number of its last one.
 */
export const MIGRATIONS: readonly Step[] = [
  FIRST_STEP,
  ORDERS_STEP,
  IDENTITY_STEP,
  ...MONEY_STEPS,
  ...SOLANA_STEPS,
  PAGES_STEP,
  MORE_STEP,
].toSorted((a, b) => a.number - b.number);
