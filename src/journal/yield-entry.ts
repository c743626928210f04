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

/** Bytes that were signed elsewhere and are passed on: what they are for is not known. */
export type RelayIntent = { readonly operation: 'broadcast'; readonly chain: string; readonly wallet: string };

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
  /**
   * What was left open was told later, a person said that they have looked, or another took its place: it stops nothing
   * any more, and is not taken up again. There is no hash where nothing was sent.
   */
  | { readonly step: 'set_aside'; readonly hash: string | undefined }
  /** The end was told to the user. What was not is told to whoever does the same again. */
  | { readonly step: 'settled'; readonly positions: readonly Position[] };
