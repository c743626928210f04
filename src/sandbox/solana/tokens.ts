import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';
import { isSolanaAddress, keyNamed } from './address.ts';
import { TOKEN_PROGRAM, tokenAccountOf } from './instructions.ts';
import type { Svm } from './svm.ts';

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

/** Where the accounts of a chain are read. */
type Accounts = Pick<Svm, 'account'>;

/** Whether an address is a public key, so that somebody can sign for it. */
export const isSolanaKey = (text: string): boolean => isSolanaAddress(text) && PublicKey.isOnCurve(bs58.decode(text));

/** The coin balance of an address, in lamports; 0 where there is no account. */
export const lamportsOf = (chain: Accounts, address: string): bigint => BigInt(chain.account(address)?.lamports ?? 0);

/** The amount in a token account's data. SPL Token: eight bytes from the 64th on. */
export const amountIn = (data: Uint8Array): bigint => (data.length < 72 ? 0n : Buffer.from(data).readBigUInt64LE(64));

/** The balance of an owner's associated token account of a mint, in smallest units. */
export const tokensOf = (chain: Accounts, owner: string, mint: string): bigint => {
  const address = tokenAccountOf(new PublicKey(owner), new PublicKey(mint)).toBase58();
  const account = chain.account(address);
  return account?.owner === TOKEN_PROGRAM.toBase58() ? amountIn(account.data) : 0n;
};

/** The supply of a mint, in smallest units. SPL Token: eight bytes from the 36th on. */
export const supplyOf = (chain: Accounts, mint: string): bigint => {
  const data = chain.account(mint)?.data;
  return data && data.length >= 44 ? Buffer.from(data).readBigUInt64LE(36) : 0n;
};
