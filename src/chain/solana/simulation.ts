/** An account as a node shows it. */
export type AccountState = { readonly lamports: bigint; readonly owner: string; readonly data: Uint8Array };

/** An account before the transaction and after it; `undefined` where there is none. */
export type AccountChange = {
  readonly address: string;
  readonly before: AccountState | undefined;
  readonly after: AccountState | undefined;
};

/** What a node says would happen, of every account that the transaction may change. */
export type Simulation = {
  /** Why it would fail, in the node's words. */
  readonly error?: string | undefined;
  readonly accounts: readonly AccountChange[];
};
