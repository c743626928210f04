import { type Kind, SANDBOX_SOLANA, SOL_DECIMALS, SOLANA_MINTS } from '../../contract/chains.ts';
import { isSameText } from '../../core/text.ts';

/** The programs of every Solana cluster that bursar decodes. */
export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  memoV1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
} as const;

/** The programs that own token accounts. */
export const TOKEN_PROGRAMS: readonly string[] = [PROGRAMS.token, PROGRAMS.token2022];

/** A token by its mint. `program` is the token program that owns the mint. */
export type Token = {
  readonly symbol: string;
  readonly mint: string;
  readonly decimals: number;
  readonly program: string;
};

/** A provider's market for a token: the vault that holds the token, and the shares for it. */
export type Market = {
  readonly provider: string;
  readonly token: Token;
  readonly vault: string;
  /** Where the provider's own program counts the shares, `program` is that program and `mint` the market's address. */
  readonly share: Token;
};

/** Solana for a review. Without markets, no vault or share token is known. */
export type SolanaNetwork = {
  readonly kind: Kind;
  readonly tokens: readonly Token[];
  readonly markets: readonly Market[];
  /** The lending program that counts deposits, where one is known. */
  readonly lender?: string;
  /** The receiver of the service's fee, where it is known. */
  readonly feeReceiver?: string;
};

/** The shares for units of a token at the start of the market. The value of a share never falls. */
export const sharesAtFirst = (units: bigint, { share, token }: Market): bigint =>
  units * 10n ** BigInt(share.decimals - token.decimals);

const token = (symbol: string, mint: string, decimals: number, program: string = PROGRAMS.token): Token => ({
  symbol,
  mint,
  decimals,
  program,
});

/** The coin. Wrapped SOL has this mint on every cluster; bursar calls both SOL. */
export const SOL = token('SOL', 'So11111111111111111111111111111111111111112', SOL_DECIMALS);

const LIVE_TOKENS: readonly Token[] = [
  SOL,
  ...Object.entries(SOLANA_MINTS).map(([symbol, { mint, decimals }]) => token(symbol, mint, decimals)),
];

const SHARE_DECIMALS = 9;

const sandboxNetwork = (): SolanaNetwork => {
  const { lender, fees: feeReceiver } = SANDBOX_SOLANA;
  const tokens = Object.entries(SANDBOX_SOLANA.mints).map(([symbol, mint]) => token(symbol, mint, 6));
  const programs: Readonly<Record<string, string>> = { provider_b: lender };
  const markets = Object.entries(SANDBOX_SOLANA.shares).flatMap(([provider, shares]) =>
    tokens.map((each): Market => {
      const name = `${each.symbol} shares of ${provider}`;
      return {
        provider,
        token: each,
        vault: SANDBOX_SOLANA.vaults[provider as keyof typeof SANDBOX_SOLANA.vaults],
        share: token(name, shares[each.symbol as keyof typeof shares], SHARE_DECIMALS, programs[provider]),
      };
    }),
  );
  return { kind: 'sandbox', tokens: [SOL, ...tokens], markets, lender, feeReceiver };
};

/** Solana for a live service or the sandbox. */
export const solanaNetworkFor = (kind: Kind): SolanaNetwork =>
  kind === 'sandbox' ? sandboxNetwork() : { kind, tokens: LIVE_TOKENS, markets: [] };

/**
 * The kind of service that a transaction is for. It names no chain, but addresses of the sandbox's mints, vaults, shares or
 * programs belong to the sandbox.
 */
export const kindOfAddresses = (addresses: readonly string[]): Kind => {
  const { tokens, markets } = sandboxNetwork();
  const own = [...tokens.filter(({ mint }) => mint !== SOL.mint).map(({ mint }) => mint), SANDBOX_SOLANA.fees];
  const known = new Set([...own, SANDBOX_SOLANA.lender, ...markets.flatMap(({ vault, share }) => [vault, share.mint])]);
  return addresses.some((address) => known.has(address)) ? 'sandbox' : 'live';
};

/** The token of a mint; shares are included. */
export const tokenOf = ({ tokens, markets }: SolanaNetwork, mint: string): Token | undefined =>
  [...tokens, ...markets.map(({ share }) => share)].find((each) => each.mint === mint);

/** The token of a symbol, in any case, or of a mint; shares are not included. */
export const tokenNamed = ({ tokens }: SolanaNetwork, name: string): Token | undefined =>
  tokens.find(({ symbol, mint }) => mint === name || isSameText(symbol, name));

/** Whether two names mean the same token, by symbol in any case or by mint. */
export const isSameTokenIn = (network: SolanaNetwork) => {
  const mintOf = (name: string): string => tokenNamed(network, name)?.mint ?? name.toLowerCase();
  return (one: string, other: string): boolean => mintOf(one) === mintOf(other);
};

/** No symbol is as long as a mint. */
const isMint = (name: string): boolean => name.length >= 32;

/** Whether two names may mean the same token: the symbol of an unknown mint is unknown. */
export const maybeSameTokenIn = (network: SolanaNetwork) => {
  const isSame = isSameTokenIn(network);
  const isUnknown = (name: string): boolean => tokenNamed(network, name) === undefined;
  return (one: string, other: string): boolean =>
    isSame(one, other) || (isUnknown(one) && isUnknown(other) && isMint(one) !== isMint(other));
};
