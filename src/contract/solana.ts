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
    USDC: '9Q4NFmt5Vx8jNbVRLpW4appujLW5Q27XFFxN61q2RWRf',
    USDT: 'H3XpJJyMZ92fv8rJUD8V3WAY1g1odmAANuN564KfjgAk',
    EURC: 'BYxqqWoH5fpeg9bA4VK4qWJS8ywL9oa4qkgBTyvGyj3z',
    XAUT: 'BH2WBo8KBBy18FPaCEdsmp9dsSVd4FHtoe7EGjeswXba',
  },
  /** Who holds a provider's tokens and makes its shares. */
  vaults: {
    provider_a: '4yG7UQT4aAqczTysTCydKaumnecQqsYejh4MH7N84w8',
    provider_b: 'EGSppFUp8dyUqFYdvoy8bC1i6gBo66PrMxWiJ6Dtmxyv',
  },
  /** Mints of the shares in what a provider keeps of a token. A share has nine decimals. */
  shares: {
    provider_a: {
      USDC: 'A6M2Tmm7QsKagkCwidnjexmcpQ3UtuiMhm1h4XkSmoNS',
      USDT: '7BfY9WNyEvsjzsey8JGwAQvieSHjtxDL6mTWZgCoW6CS',
      EURC: '61PweFDSLb2Rkcy7v6mnixyQ9GdCPpCHXuEHbYQU5hex',
      XAUT: '9gzXX5GiXegPvLeZ3Y4TTLSFoqTPk3gjVPxkBz8bqWzE',
    },
    provider_b: {
      USDC: 'DhuVDqZXrc2ZTENE8E2HbZqujEBgjixnH3pvvTFpojdT',
      USDT: 'BgkbnQjvR9YmLTmSiTpw38tjZWcXtEjYAFS7kmUQLrYS',
      EURC: '8WP2UfS1r7YrwU6VPj9Q3fzgYiBgoeMgaWfCqadnXHF3',
      XAUT: '5yfbzwV5Ta1Cdepeh74iRLGMYBqj1FiWBA4sg1nssMtM',
    },
  },
  /** Who gets the fee of a deposit. */
  fees: '6RTP19v5hcqVS2WXFnK2ia3HTy55YhY16QWS9w9KFf4r',
} as const;

/** The genesis hash of each chain: by it a node says of which it is. The real one is mainnet-beta's. */
export const SOLANA_GENESIS = {
  live: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  sandbox: SANDBOX_SOLANA.fees,
} as const;
