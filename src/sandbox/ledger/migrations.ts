import { IDENTITY_STEP } from './identity-step.ts';
import { MONEY_STEPS } from './money-steps.ts';
import { ORDERS_STEP } from './orders-step.ts';
import { PAGES_STEP } from './pages-step.ts';
import { SOLANA_STEPS } from './solana-steps.ts';
import type { Step } from './step.ts';

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
].toSorted((a, b) => a.number - b.number);
