import type { Step } from './step.ts';

/** Order templates, and keys that belong to no tenant. */
export const ORDERS_STEP: Step = {
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
