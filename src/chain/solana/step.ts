/** One decoded instruction. Units are the smallest of their coin or token; addresses are base58. */
export type Step =
  /** Moves lamports from one account to another. */
  | { readonly kind: 'pays_coin'; readonly from: string; readonly to: string; readonly units: bigint }
  /** Moves a token between two token accounts. An unchecked transfer has no `mint`. */
  | TokenMove
  /** Burns units of a token. */
  | (TokenUnits & { readonly kind: 'burns'; readonly from: string; readonly mint: string })
  /** Mints units of a token. */
  | (TokenUnits & { readonly kind: 'mints'; readonly to: string; readonly mint: string })
  /** Closes a token account; its lamports go to `to`. */
  | { readonly kind: 'closes'; readonly account: string; readonly to: string; readonly authority: string }
  /** Opens the token account of an owner; the payer pays its rent. */
  | {
      readonly kind: 'opens';
      readonly payer: string;
      readonly account: string;
      readonly owner: string;
      readonly mint: string;
      readonly program: string;
    }
  /**
   * An instruction of the sandbox's lending program: `units` move between two token accounts, and `shares` are counted in the
   * position of `owner`. `wallet` signs and pays the rent.
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
  /** Sets a part of the computation budget. */
  | { readonly kind: 'budget'; readonly what: 'units' | 'price' | 'heap' | 'data'; readonly value: bigint }
  /** Text without any effect. */
  | { readonly kind: 'memo'; readonly text: string }
  /** A decoded instruction without risk. */
  | { readonly kind: 'harmless'; readonly name: string }
  /** An instruction that no deposit, withdrawal or rebalance needs. */
  | { readonly kind: 'dangerous'; readonly name: string }
  /** A known program with bytes or accounts that do not fit its instructions. */
  | { readonly kind: 'malformed'; readonly name: string; readonly why: string }
  /** An instruction of a program that bursar cannot decode, with all its accounts. */
  | { readonly kind: 'unknown'; readonly program: string; readonly accounts: readonly string[] };

type TokenUnits = {
  readonly program: string;
  readonly authority: string;
  readonly units: bigint;
  /** The decimals in the instruction, if it has them; the chain compares them with the mint. */
  readonly decimals: number | undefined;
};

/** A transfer between two token accounts. */
export type TokenMove = TokenUnits & {
  readonly kind: 'moves';
  readonly from: string;
  readonly to: string;
  readonly mint: string | undefined;
};
