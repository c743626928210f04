import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/shared.ts';
import { keyNamed } from './address.ts';

/** A test token of the Solana chain. */
export type SolanaToken = { readonly symbol: string; readonly mint: string; readonly decimals: number };

/** A provider of yield, by its name in the document. */
export type Provider = (typeof PROVIDERS)[number];

const token = (symbol: keyof typeof SANDBOX_SOLANA.mints): SolanaToken => ({
  symbol,
  mint: SANDBOX_SOLANA.mints[symbol],
  decimals: 6,
});

/** Assumption: the tokens of the Solana chain, 6 decimals each. */
export const SOLANA_TOKENS: readonly SolanaToken[] = [token('USDC'), token('USDT'), token('EURC'), token('XAUT')];

/** The token with that symbol, in any case, or with that mint. */
export const findToken = (name: string): SolanaToken | undefined =>
  SOLANA_TOKENS.find(({ symbol, mint }) => symbol === name.toUpperCase() || mint === name);

/** Decimals that a share has beyond its token: rounding by a share must stay below a unit of the token. */
const FINER = 3;

/** A provider's market of a token: the holder of its tokens, and how it counts positions. */
export type Vault = Readonly<ReturnType<typeof vault>>;

const vault = (provider: Provider, of: SolanaToken) => ({
  provider,
  token: of,
  /** Holds the tokens, and signs what makes shares and pays out. */
  authority: keyNamed(`vault ${provider}`),
  /** Assumption: provider_a gives shares as tokens of this mint; provider_b's program keeps a position, and has none. */
  shareMint: provider === 'provider_a' ? keyNamed(`shares ${provider} ${of.symbol}`).address : undefined,
  shareDecimals: of.decimals + FINER,
  /** The address that the provider's strategy goes by. */
  market: keyNamed(`market ${provider} ${of.symbol}`).address,
});

/** Every vault, by provider, in the order of the tokens. Made anew at each call: deriving a key takes a millisecond. */
export const makeVaults = (): readonly Vault[] =>
  PROVIDERS.flatMap((provider) => SOLANA_TOKENS.map((each) => vault(provider, each)));
