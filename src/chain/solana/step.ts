/** What one instruction does. Units are the smallest of their coin or token; addresses are base58. */
export type Step =
  /** Lamports from one account to another. */
  | { readonly kind: 'pays_coin'; readonly from: string; readonly to: string; readonly units: bigint }
  /** A token between two token accounts. Without `mint` the instruction does not say which token. */
  | TokenMove
  /** A token taken out of the world. */
  | (TokenUnits & { readonly kind: 'burns'; readonly from: string; readonly mint: string })
  /** New units of a token. */
  | (TokenUnits & { readonly kind: 'mints'; readonly to: string; readonly mint: string })
  /** Ends a token account; its lamports go to `to`. */
  | { readonly kind: 'closes'; readonly account: string; readonly to: string; readonly authority: string }
  /** Opens the token account of an owner, the payer paying its rent. */
  | {
      readonly kind: 'opens';
      readonly payer: string;
      readonly account: string;
      readonly owner: string;
      readonly mint: string;
      readonly program: string;
    }
  /**
   * The sandbox's lending program: `units` go from one token account to another, and `shares` are counted in the position
   * of `owner`. `wallet` signs and pays for what is opened.
   */
  | {
      readonly kind: 'lends';
      readonly direction: 'deposit' | 'withdraw';
      readonly program: string;
      readonly wallet: string;
      readonly owner: string;
      readonly position: string;
      readonly from: string;
      readonly to: string;
      readonly mint: string;
      readonly units: bigint;
      readonly decimals: number;
      readonly shares: bigint;
    }
  /** A wish about units of computation and their price. */
  | { readonly kind: 'budget'; readonly what: 'units' | 'price' | 'heap' | 'data'; readonly value: bigint }
  /** Text that the chain carries and that does nothing. */
  | { readonly kind: 'memo'; readonly text: string }
  /** Known, and nothing is lost by it. */
  | { readonly kind: 'harmless'; readonly name: string }
  /** Known, and nothing that a deposit, a withdrawal or a rebalance needs. */
  | { readonly kind: 'dangerous'; readonly name: string }
  /** A known program, and bytes or accounts that are not those of its instructions. */
  | { readonly kind: 'malformed'; readonly name: string; readonly why: string }
  /** Of a program that is not understood. `accounts` is all that it was given. */
  | { readonly kind: 'unknown'; readonly program: string; readonly accounts: readonly string[] };

type TokenUnits = {
  readonly program: string;
  readonly authority: string;
  readonly units: bigint;
  /** Where the instruction says them; the chain holds them against the mint. */
  readonly decimals: number | undefined;
};

/** A token between two token accounts. */
export type TokenMove = TokenUnits & {
  readonly kind: 'moves';
  readonly from: string;
  readonly to: string;
  readonly mint: string | undefined;
};
