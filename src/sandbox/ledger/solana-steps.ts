import type { Step } from './step.ts';

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

/** What a transaction did, and by which addresses it is found. Transactions of older ledgers have neither. */
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
export const SOLANA_STEPS: readonly Step[] = [CHAIN_STEP, HISTORY_STEP];
