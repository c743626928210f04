/** The name of the Solana chain in requests. */
export const SOLANA = 'solana';

/** The native coin counts in lamports. */
export const SOL_DECIMALS = 9;

/**
 * Tokens of the real chain by their symbol. Compared with several public sources on 2026-11-21, not with a chain.
 * - USDC: Circle, developers.circle.com/stablecoins/usdc-contract-addresses.
 * - USDT: Tether, tether.to/supported-protocols.
 */
export const SOLANA_MINTS = {
  USDC: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
  USDT: { mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
} as const;

/** A transaction that is larger is not carried: the packet size of Solana's network. */
export const MAX_TRANSACTION_BYTES = 1232;

/**
 * Accounts of every sandbox's Solana chain. Their keys are derived from names, so they are the same in each sandbox and
 * known before a chain runs. None of them exists on a real cluster.
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
  /**
   * What a wallet's shares in what a provider keeps of a token go by. A share has nine decimals. Those of provider_a are
   * tokens of this mint; those of provider_b are counted by its program, and this is the address of the market.
   */
  shares: {
    provider_a: {
      USDC: 'A6M2Tmm7QsKagkCwidnjexmcpQ3UtuiMhm1h4XkSmoNS',
      USDT: '7BfY9WNyEvsjzsey8JGwAQvieSHjtxDL6mTWZgCoW6CS',
      EURC: '61PweFDSLb2Rkcy7v6mnixyQ9GdCPpCHXuEHbYQU5hex',
      XAUT: '9gzXX5GiXegPvLeZ3Y4TTLSFoqTPk3gjVPxkBz8bqWzE',
    },
    provider_b: {
      USDC: 'D7wTNfkY8bbgDB4Zur7v3Y68tEu2C6LamJCrCHRL1ndf',
      USDT: 'Fy7DnsLJ7GFtmsd9mLrMEMRm2U4FxTZeSfzhEJwjujcz',
      EURC: 'FCPSmv6YiN9TZBgY5k2Z8vTN5vbUbqm9EGpivPP8KQbB',
      XAUT: '2m2f2rSxsjxT4ScZenxCH7BsAKB2H5SM3qfcUTj785Wr',
    },
  },
  /** The program of provider_b: it keeps what a wallet has there in an account of its own. */
  lender: 'BAoqzDddD7qXr9QSG36mVLC77HtGajdijEKHJmMZ8nkR',
  /** Who gets the fee of a deposit. */
  fees: '6RTP19v5hcqVS2WXFnK2ia3HTy55YhY16QWS9w9KFf4r',
} as const;

/** The genesis hash of each chain, by which a node shows its chain. The real one is mainnet-beta's. */
export const SOLANA_GENESIS = {
  live: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  sandbox: SANDBOX_SOLANA.fees,
} as const;
