/** What the payer has more (or, below zero, less) of after a transaction; the fee is not counted. */
export type BalanceChange = {
  /** A token's contract, or `coin`. */
  readonly of: string;
  readonly units: bigint;
};

/** What somebody else has more of after a transaction, by its events. */
export type Gain = { readonly of: string; readonly to: string; readonly units: bigint };

/** What the payer lets somebody take from then on (the event Approval, or ApprovalForAll). */
export type Permission = { readonly token: string; readonly spender: string };

/** How a transaction would end, run on the node's latest state. */
export type Simulation =
  | { readonly kind: 'fails'; readonly reason: string }
  /** The node can tell that it runs, and not what it moves. */
  | { readonly kind: 'runs' }
  | {
      readonly kind: 'shown';
      readonly changes: readonly BalanceChange[];
      readonly gains: readonly Gain[];
      readonly permissions: readonly Permission[];
    };

/**
 * What a node of the chain says of a transaction before it is signed. It adds doubts and takes none away, but that of
 * a call that the operator pinned.
 */
export type NodeFacts = {
  readonly chainId: bigint;
  /** How many transactions of the payer are in blocks, and how many with those that wait. */
  readonly minedNonce: bigint;
  readonly pendingNonce: bigint;
  /** What the payer has of the chain's coin, in wei. */
  readonly coin: bigint;
  /** What the payer has of tokens, in smallest units, by their contracts in lower case; those that could be read. */
  readonly tokens: ReadonlyMap<string, bigint>;
  readonly simulation: Simulation;
};
