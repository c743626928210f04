/** The name of the Solana chain in requests. */
export const SOLANA = 'solana';

/** The decimals of SOL; the smallest unit is the lamport. */
export const SOL_DECIMALS = 9;

/**
 * Tokens of the real chain by their symbol. They were compared with several public sources on 2026-11-21, not with a chain.
 * - USDC: Circle, developers.circle.com/stablecoins/usdc-contract-addresses.
 * - USDT: Tether, tether.to/supported-protocols.
 */
export const SOLANA_MINTS = {
  USDC: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
  USDT: { mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
} as const;

/** The maximum size of a transaction: the packet size of Solana's network. */
export const MAX_TRANSACTION_BYTES = 1232;

/**
 * Accounts of the Solana chain of every sandbox. Their keys derive from names, so they are constants and the same in
 * each sandbox. None of them exists on a real cluster.
 */
export const SANDBOX_SOLANA = {
  mints: {
    USDC: '9Q4NFmt5Vx8jNbVRLpW4appujLW5Q27XFFxN61q2RWRf',
    USDT: 'H3XpJJyMZ92fv8rJUD8V3WAY1g1odmAANuN564KfjgAk',
    EURC: 'BYxqqWoH5fpeg9bA4VK4qWJS8ywL9oa4qkgBTyvGyj3z',
    XAUT: 'BH2WBo8KBBy18FPaCEdsmp9dsSVd4FHtoe7EGjeswXba',
  },
  /** The vault of each provider, which holds its tokens and mints its shares. */
  vaults: {
    provider_a: '4yG7UQT4aAqczTysTCydKaumnecQqsYejh4MH7N84w8',
    provider_b: 'EGSppFUp8dyUqFYdvoy8bC1i6gBo66PrMxWiJ6Dtmxyv',
  },
  /**
   * The address of a provider's shares for each token. A share has nine decimals. Shares of provider_a are tokens of
   * this mint. The program of provider_b counts its shares, and this is the address of its market.
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
  /** The lending program of provider_b. It stores the shares of each wallet in an account of its own. */
  lender: 'BAoqzDddD7qXr9QSG36mVLC77HtGajdijEKHJmMZ8nkR',
  /** The receiver of deposit fees. */
  fees: '6RTP19v5hcqVS2WXFnK2ia3HTy55YhY16QWS9w9KFf4r',
} as const;

/** The genesis hash by which a node identifies its chain. The live one is the hash of mainnet-beta. */
export const SOLANA_GENESIS = {
  live: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  sandbox: SANDBOX_SOLANA.fees,
} as const;

/**
 * All facts about an EVM chain of the service and the sandbox. `id` is the id of the real chain, from the registry of
 * EIP-155 chain ids.
 */
export type EvmChain = {
  readonly name: string;
  readonly id: number;
  /** The symbol of its native coin. */
  readonly coin: string;
  /** Other names of the chain in texts, in lower case. A challenge with one of the names is for this chain. */
  readonly aliases: readonly string[];
  /** The names that have another meaning in a sentence, such as "base". */
  readonly ordinaryWords?: readonly string[];
  readonly tokens: Readonly<Record<StableToken, Token>>;
  readonly usualFee: UsualFee;
};

/** The symbol of a token that exists on every EVM chain. */
export type StableToken = 'USDT' | 'USDC';

/** The contract of a token, and the decimals of its smallest unit. */
export type Token = { readonly address: string; readonly decimals: number };

/**
 * The usual maximum of a transaction's fee, as decimal text in the chain's coin, and of its tip for each unit of gas.
 * The block sets the base fee; the tip is paid in full (EIP-1559).
 */
export type UsualFee = { readonly total: string; readonly tipGwei?: bigint };

/**
 * The EVM chains of the document by their names in it, with USDT and USDC of the real chains. The sources are the lists of
 * the issuers, named below. The addresses were compared with independent token lists on 2026-11-21, not with a chain. A
 * test checks their EIP-55 checksums.
 *
 * - USDC: Circle, developers.circle.com/stablecoins/usdc-contract-addresses: native on ethereum, polygon, base
 *   and arbitrum. The bridged "USDC.e" and "USDbC" are other contracts and are not USDC here.
 * - USDT: Tether, tether.to/supported-protocols: native on ethereum. On polygon and arbitrum it is USDT0, Tether's
 *   own bridged form (docs.usdt0.to), at the addresses that bridged USDT had there before. On base it is bridged
 *   by the chain's standard bridge and not issued by Tether.
 * - bsc: both are Binance-Peg tokens, bridged and issued by Binance, with 18 decimals instead of 6.
 */
export const EVM_CHAINS = [
  {
    name: 'ethereum',
    id: 1,
    coin: 'ETH',
    aliases: ['eth'],
    ordinaryWords: ['eth'],
    tokens: {
      USDT: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
      USDC: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
    },
    usualFee: { total: '0.02', tipGwei: 20n },
  },
  {
    name: 'polygon',
    id: 137,
    coin: 'POL',
    aliases: ['matic'],
    tokens: {
      USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 },
      USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
    },
    usualFee: { total: '5', tipGwei: 500n },
  },
  {
    name: 'bsc',
    id: 56,
    coin: 'BNB',
    aliases: ['bnb'],
    tokens: {
      USDT: { address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
      USDC: { address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
    },
    usualFee: { total: '0.005', tipGwei: 5n },
  },
  {
    name: 'base',
    id: 8453,
    coin: 'ETH',
    aliases: [],
    ordinaryWords: ['base'],
    tokens: {
      USDT: { address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 },
      USDC: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
    },
    usualFee: { total: '0.002', tipGwei: 1n },
  },
  {
    name: 'arbitrum',
    id: 42161,
    coin: 'ETH',
    aliases: [],
    tokens: {
      USDT: { address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', decimals: 6 },
      USDC: { address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
    },
    usualFee: { total: '0.002', tipGwei: 1n },
  },
] as const satisfies readonly EvmChain[];

/** The symbol of an EVM chain's native coin. */
export type EvmCoin = (typeof EVM_CHAINS)[number]['coin'];

/** An EVM chain by its name, in any case. */
export const findEvmChain = (name: string): EvmChain | undefined =>
  EVM_CHAINS.find((chain) => chain.name === name.toLowerCase());

/** The names of EVM chains and of their family in texts. */
export const EVM_NAMES: readonly string[] = ['evm', ...EVM_CHAINS.flatMap(({ name, aliases }) => [name, ...aliases])];

const ORDINARY: readonly string[] = EVM_CHAINS.flatMap((chain: EvmChain) => chain.ordinaryWords ?? []);

/** The names of `EVM_NAMES` that mean a chain in any sentence. */
export const EVM_NAMES_IN_PROSE: readonly string[] = EVM_NAMES.filter((name) => !ORDINARY.includes(name));

/** The names of all chains, Solana last. */
export const CHAIN_NAMES = [...EVM_CHAINS.map(({ name }) => name), SOLANA] as const;

/** The usual fee of Solana, without the rent of new accounts, and of any chain that is not listed above. */
const OTHER_USUAL_FEE: UsualFee = { total: '0.005' };

/** The usual fee of a chain by its name, in any case. */
export const usualFeeOf = (name: string): UsualFee => findEvmChain(name)?.usualFee ?? OTHER_USUAL_FEE;

/** The path of a chain's JSON-RPC under the base URL of a sandbox. */
export const sandboxChainPath = <Name extends string>(name: Name): `/_chain/${Name}` => `/_chain/${name}`;

/** The decimals of the native coin of every EVM chain; the smallest unit is the wei. */
export const COIN_DECIMALS = 18;

/**
 * The sandbox's chain id for the id of a real chain. The ids are private, so that a transaction signed for the sandbox
 * is not valid on another chain.
 */
export const sandboxChainId = (id: number): number => 1_000_000 + id;

/**
 * Contracts of every sandbox chain. The addresses derive from the deployer and its first nonces (EIP-161 contract
 * addresses). So they are constants and the same on each chain. The bridge is an address without a key and without a
 * contract: an amount paid to it on one chain is paid out on another.
 */
export const SANDBOX_CONTRACTS = {
  splitter: '0x605d0c423FA340fffa305b47FAEEF8Fd949d2be4',
  USDT: '0x1Ab51F06A5E189D472Bc5fbCb01e8f7f09F3ac22',
  USDC: '0x5A020dF87D40540Ccc2b66ad648118fCAea768A2',
  bridge: '0xb41D6e0000000000000000000000000000B0A5a0',
} as const;

/** The kind of a service and its chains: with real money, or a sandbox. */
export type Kind = 'live' | 'sandbox';

/** The kind of the chain with this id. */
export const kindOfChainId = (id: number): Kind =>
  EVM_CHAINS.some((chain) => sandboxChainId(chain.id) === id) ? 'sandbox' : 'live';

/** The families of chains of a wallet's key. */
export const KEY_CHAINS = ['evm', 'solana'] as const;

/** A family of chains. */
export type KeyChain = (typeof KEY_CHAINS)[number];
