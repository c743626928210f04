/** What a movement between a wallet and lending markets is for: enough to review its transactions again. */
export type YieldIntent = {
  readonly operation: 'deposit' | 'withdraw' | 'rebalance';
  readonly amount: string;
  readonly asset: string;
  readonly chain: string;
  readonly wallet: string;
  /** Who pays out: of a withdrawal and a rebalance. */
  readonly provider_out: string | undefined;
  /** Who takes in: of a deposit and a rebalance. */
  readonly provider_in: string | undefined;
};

/** What a wallet has with a provider; no position where it could not be read. */
export type Position = { readonly provider: string; readonly position: string | undefined };

/**
 * Steps of a yield operation. `building` and `broadcasting` precede a call and are on the disk before its first byte
 * leaves. `part` counts the transactions of an operation from 1.
 */
export type YieldEntry =
  | { readonly step: 'building' }
  | { readonly step: 'built'; readonly transactions: readonly string[]; readonly positions: readonly Position[] }
  /** The signed bytes: they can be sent again without harm, for the chain takes them once. */
  | {
      readonly step: 'signed_part';
      readonly part: number;
      readonly signed_transaction: string;
      readonly hash: string;
      readonly from: string;
    }
  | { readonly step: 'broadcasting'; readonly part: number; readonly hash: string; readonly via: 'service' | 'node' }
  | { readonly step: 'landed'; readonly part: number; readonly hash: string }
  /** A transaction that can never land any more; what follows is built anew. */
  | { readonly step: 'dead'; readonly hash: string }
  /** What was left open was told later, or a person said that they have looked: it stops nothing any more. */
  | { readonly step: 'set_aside'; readonly hash: string }
  /** The end was told to the user. What was not is told to whoever does the same again. */
  | { readonly step: 'settled'; readonly positions: readonly Position[] };
