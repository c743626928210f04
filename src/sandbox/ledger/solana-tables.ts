/** An account of the Solana chain; lamports are a whole number up to 2^64, as text. */
export type SolanaAccountTable = {
  address: string;
  lamports: string;
  owner: string;
  data: Uint8Array;
  executable: number;
};

/** An executed transaction. `error` is JSON, or `null` when it succeeded; `logs` is a JSON list. */
export type SolanaTransactionTable = {
  signature: string;
  slot: number;
  at: string;
  bytes: Uint8Array;
  error: string | null;
  logs: string;
  units: string;
  /** Its place in the order of execution, from 1. */
  number: number;
  /** What it did, in JSON; `null` for one that was executed before this was kept. */
  effects: string | null;
};

/** An address that a transaction names, by the transaction's number. */
export type SolanaTransactionKeyTable = { address: string; number: number };

export type SolanaTables = {
  readonly solana_accounts: SolanaAccountTable;
  readonly solana_transactions: SolanaTransactionTable;
  readonly solana_transaction_keys: SolanaTransactionKeyTable;
};
