/** One change of the ledger's tables. Its number names it for ever; steps happen in the order of their numbers. */
export type Step = { readonly number: number; readonly sql: string };

/** Webhooks, payouts and Pix charges. */
export const MONEY_STEPS: readonly Step[] = [
  {
    number: 200,
    sql: `
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
  },
  {
    number: 201,
    sql: `
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
  },
  {
    number: 202,
    sql: `
  CREATE TABLE charges (
    payment_id TEXT PRIMARY KEY REFERENCES payments (id),
    kind TEXT NOT NULL,
    details TEXT NOT NULL,
    expires_ms INTEGER
  ) STRICT;
  CREATE INDEX charges_by_expiry ON charges (expires_ms);
  `,
  },
  {
    number: 203,
    sql: `
  CREATE TABLE webhook_deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event_seq INTEGER NOT NULL REFERENCES webhook_events (seq),
    at TEXT NOT NULL,
    http INTEGER,
    answer TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_seq, seq);
  `,
  },
];
