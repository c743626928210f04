import type { Step } from './step.ts';

/** The Solana chain: its accounts as they are, and the transactions that were executed. */
export const SOLANA_STEP: Step = {
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
