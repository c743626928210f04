/** The name of the Solana chain in requests. */
export const SOLANA = 'solana';

/** The native coin counts in lamports. */
export const SOL_DECIMALS = 9;

/** A transaction that is larger is not carried: the packet size of Solana's network. */
export const MOST_TRANSACTION_BYTES = 1232;

/**
 * Accounts of every sandbox's Solana chain. Their keys are derived from names, so they are the same in each and
 * known before a chain runs; nothing of them exists on a real cluster.
 */
export const SANDBOX_SOLANA = {
  mints: {
    USDC: '2ZGS1MnHigrtVb6fDW9Spqgm9QyWpLcHj23XE2RQXBZz',
    USDT: '692wBKYwEaFYkkmvTvuwupENFnDkRvBnRfTKc3G9764i',
    EURC: 'AAJEJK1ACSQj4G1Y6ZDA915ub6PV7E3sGSQr1FZN1GMu',
    XAUT: 'DERxGmu19im2RH7FUunHxWGWEbvD9P9yJYkQQmPd3M9H',
  },
  /** Who holds a provider's tokens and makes its shares. */
  vaults: {
    provider_a: 'EA1AZuYqTaJ46i5Yhv9NtvfSayGeN7EHBfVLxrmWibJm',
    provider_b: '5TQ9drvfTdrQVKRXXvb1BvgSKfXREwWPhEqdTSJGGVKw',
  },
  /** Who gets the fee of a deposit. */
  fees: '52tEeP5qZRGr8HsUn8gPcDZHvVYuzjmrY4XbuK44NpQG',
} as const;
