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
};

export type SolanaTables = {
  readonly solana_accounts: SolanaAccountTable;
  readonly solana_transactions: SolanaTransactionTable;
};
