import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { SANDBOX_SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';
import { isSolanaAddress, keyNamed } from './address.ts';
import { TOKEN_PROGRAM, tokenAccountOf } from './instructions.ts';
import type { Svm } from './svm.ts';

/** A test token of the Solana chain. */
export type SolanaToken = { readonly symbol: string; readonly mint: string; readonly decimals: number };

/** The name of a yield provider in the document. */
export type Provider = (typeof PROVIDERS)[number];

const token = (symbol: keyof typeof SANDBOX_SOLANA.mints): SolanaToken => ({
  symbol,
  mint: SANDBOX_SOLANA.mints[symbol],
  decimals: 6,
});

/** Assumption: the tokens of the Solana chain, 6 decimals each. */
export const SOLANA_TOKENS: readonly SolanaToken[] = [token('USDC'), token('USDT'), token('EURC'), token('XAUT')];

/** Finds a token by its symbol, in any letter case, or by its mint. */
export const findToken = (name: string): SolanaToken | undefined =>
  SOLANA_TOKENS.find(({ symbol, mint }) => symbol === name.toUpperCase() || mint === name);

/** The additional decimals of a share. They keep the rounding of shares below a unit of the token. */
const EXTRA_SHARE_DECIMALS = 3;

/** A provider's market for a token: the holder of its tokens, and the way it stores positions. */
export type Vault = Readonly<ReturnType<typeof makeVault>>;

const makeVault = (provider: Provider, vaultToken: SolanaToken) => ({
  provider,
  token: vaultToken,
  /** The key that holds the tokens. It signs the minting of shares, and payments to wallets. */
  authority: keyNamed(`vault ${provider}`),
  /** Assumption: provider_a's shares are tokens of this mint. provider_b has no share mint; its program stores positions. */
  shareMint: provider === 'provider_a' ? keyNamed(`shares ${provider} ${vaultToken.symbol}`).address : undefined,
  shareDecimals: vaultToken.decimals + EXTRA_SHARE_DECIMALS,
  /** The address in the id of the provider's strategy. */
  market: keyNamed(`market ${provider} ${vaultToken.symbol}`).address,
});

/** Makes all vaults, ordered by provider and token. Each call derives their keys again, a millisecond each. */
export const makeVaults = (): readonly Vault[] =>
  PROVIDERS.flatMap((provider) => SOLANA_TOKENS.map((each) => makeVault(provider, each)));

/** A source of accounts. */
type AccountReader = Pick<Svm, 'account'>;

/** Whether an address is a public key, so that its owner can sign. */
export const isSolanaKey = (text: string): boolean => isSolanaAddress(text) && PublicKey.isOnCurve(bs58.decode(text));

/** The coin balance of an address, in lamports; 0 without an account. */
export const lamportsOf = (chain: AccountReader, address: string): bigint =>
  BigInt(chain.account(address)?.lamports ?? 0);

/** The amount in a token account's data: eight bytes at offset 64 (SPL Token). */
export const amountIn = (data: Uint8Array): bigint => (data.length < 72 ? 0n : Buffer.from(data).readBigUInt64LE(64));

/** The balance of an owner's associated token account for a mint, in the smallest units. */
export const tokensOf = (chain: AccountReader, owner: string, mint: string): bigint => {
  const address = tokenAccountOf(new PublicKey(owner), new PublicKey(mint)).toBase58();
  const account = chain.account(address);
  return account?.owner === TOKEN_PROGRAM.toBase58() ? amountIn(account.data) : 0n;
};

/** The supply of a mint, in the smallest units: eight bytes at offset 36 (SPL Token). */
export const supplyOf = (chain: AccountReader, mint: string): bigint => {
  const data = chain.account(mint)?.data;
  return data && data.length >= 44 ? Buffer.from(data).readBigUInt64LE(36) : 0n;
};
