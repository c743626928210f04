import {
  COIN_DECIMALS,
  EVM_CHAINS,
  type EvmChain,
  type Kind,
  SANDBOX_CONTRACTS,
  sandboxChainId,
  type Token,
} from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { Failure, undefinedOn } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import { normaliseEvmAddress } from './address.ts';

/** Tokens of one chain by their symbol. */
type Tokens = Readonly<Record<string, Token>>;

/** A chain for a review. `id` is its EIP-155 chain id, `coin` the symbol of its native coin. */
export type Chain = {
  readonly name: string;
  readonly id: number;
  readonly coin: string;
  readonly tokens: Tokens;
  /** The contract that pays several receivers in one transaction. */
  readonly splitter?: string;
  /** The address that is paid for receivers on another chain. Only the sandbox has a bridge; no profile adds one. */
  readonly bridge?: string;
};

/** The chains that one kind of service pays on. */
export type Network = { readonly kind: Kind; readonly chains: readonly Chain[] };

/** An entry of a profile: a new chain, or tokens and a splitter for a known chain. */
export type ChainEntry = {
  readonly name: string;
  readonly id?: number | undefined;
  readonly coin?: string | undefined;
  readonly tokens?: Tokens | undefined;
  readonly splitter?: string | undefined;
};

const liveChain = ({ name, id, coin, tokens }: EvmChain): Chain => ({ name, id, coin, tokens });

const sandboxChain = ({ name, id, coin, tokens }: EvmChain): Chain => ({
  name,
  id: sandboxChainId(id),
  coin,
  tokens: {
    USDT: { address: SANDBOX_CONTRACTS.USDT, decimals: tokens.USDT.decimals },
    USDC: { address: SANDBOX_CONTRACTS.USDC, decimals: tokens.USDC.decimals },
  },
  splitter: SANDBOX_CONTRACTS.splitter,
  bridge: SANDBOX_CONTRACTS.bridge,
});

/** The built-in chains of a live service, or of the sandbox. */
export const networkFor = (kind: Kind): Network => ({
  kind,
  chains: EVM_CHAINS.map(kind === 'live' ? liveChain : sandboxChain),
});

/** A chain by its name, in any case; `undefined` for an unknown name. */
export const findChain = (network: Network, name: string): Chain | undefined =>
  network.chains.find((chain) => isSameText(chain.name, name));

/** Whether an address is the splitter of a chain. */
export const isSplitterOf = (chain: Chain | undefined, address: string): boolean =>
  chain?.splitter !== undefined && isSameText(chain.splitter, address);

/** Whether an address is the bridge of a chain, for a payment with receivers on another chain. */
export const isBridgeTo = (chain: Chain | undefined, toChain: string | undefined, address: string): boolean =>
  chain?.bridge !== undefined &&
  isSameText(chain.bridge, address) &&
  toChain !== undefined &&
  !isSameText(toChain, chain.name);

const checkedTokens = (tokens: Tokens): Tokens => {
  const check = ([symbol, { address, decimals }]: [string, Tokens[string]]) => {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
      throw new Failure('bad_settings', `token ${symbol}: decimals must be a whole number from 0 to 36`);
    }
    return [symbol, { address: normaliseEvmAddress(address), decimals }] as const;
  };
  return Object.fromEntries(Object.entries(tokens).map(check));
};

const withTokens = (known: Tokens, own: Tokens): Tokens => {
  const isReplaced = (symbol: string) => Object.keys(own).some((other) => isSameText(other, symbol));
  return { ...Object.fromEntries(Object.entries(known).filter(([symbol]) => !isReplaced(symbol))), ...own };
};

/** A profile cannot change a known token; otherwise a limit in USDT could apply to another token. */
const assertUnchanged = (known: Chain, { name, coin, tokens = {} }: ChainEntry): void => {
  if (coin !== undefined && coin !== known.coin) {
    throw new Failure('bad_settings', `chain ${name} has the coin ${known.coin}; a profile cannot give it another`);
  }
  for (const [symbol, { address, decimals }] of Object.entries(tokens)) {
    const own = Object.entries(known.tokens).find(([, token]) => isSameText(token.address, address));
    if (own === undefined || (isSameText(own[0], symbol) && own[1].decimals === decimals)) continue;
    const message = `${address} on ${name} is ${own[0]} with ${own[1].decimals} decimals`;
    throw new Failure('bad_settings', `chain ${name}: ${message}; a profile cannot give it another name or decimals`);
  }
};

const merge = (known: Chain | undefined, entry: ChainEntry): Chain => {
  if (known !== undefined) assertUnchanged(known, entry);
  const id = entry.id ?? known?.id;
  const coin = entry.coin ?? known?.coin;
  if (id === undefined || coin === undefined || !Number.isSafeInteger(id) || id < 1) {
    throw new Failure('bad_settings', `chain ${entry.name}: a new chain needs its id and the symbol of its coin`);
  }
  if (known !== undefined && id !== known.id) {
    throw new Failure('bad_settings', `chain ${entry.name} has the id ${known.id}; a profile cannot give it another`);
  }
  const splitter = entry.splitter === undefined ? known?.splitter : normaliseEvmAddress(entry.splitter);
  const tokens = withTokens(known?.tokens ?? {}, checkedTokens(entry.tokens ?? {}));
  const own = { name: known?.name ?? entry.name, id, coin, tokens, ...(splitter === undefined ? {} : { splitter }) };
  return known?.bridge === undefined ? own : { ...own, bridge: known.bridge };
};

/**
 * A network with the entries of a profile. A token with a known symbol replaces the built-in one.
 * Throws `bad_settings` for an incomplete chain or another id of a known one, `invalid_input` for a bad address.
 */
export const extendNetwork = (network: Network, entries: readonly ChainEntry[]): Network =>
  entries.reduce<Network>((extended, entry) => {
    const known = findChain(extended, entry.name);
    const others = extended.chains.filter((chain) => chain !== known);
    const chain = merge(known, entry);
    if (others.some((other) => other.id === chain.id)) {
      throw new Failure('bad_settings', `chain ${entry.name}: another chain has the id ${chain.id}`);
    }
    return { kind: extended.kind, chains: [...others, chain] };
  }, network);

/** The asset of a payment: the chain's coin, a token of the chain's table, or an unknown token contract. */
export type Asset =
  | { readonly kind: 'coin'; readonly symbol: string; readonly decimals: number }
  | { readonly kind: 'token'; readonly symbol: string; readonly decimals: number; readonly address: string }
  | { readonly kind: 'unknown'; readonly address: string };

/** An asset whose decimals are known. */
export type KnownAsset = Exclude<Asset, { readonly kind: 'unknown' }>;

/** A chain's own coin. */
export const coinOf = (chain: Chain): KnownAsset => ({ kind: 'coin', symbol: chain.coin, decimals: COIN_DECIMALS });

/** The token of a contract by the chain's table. */
export const assetAt = (chain: Chain, address: string): Asset => {
  const found = Object.entries(chain.tokens).find(([, token]) => isSameText(token.address, address));
  return found === undefined ? { kind: 'unknown', address } : { kind: 'token', symbol: found[0], ...found[1] };
};

/** The coin or token of a symbol, in any case; `undefined` for a symbol that the chain's table lacks. */
export const assetNamed = (chain: Chain, symbol: string): KnownAsset | undefined => {
  if (isSameText(chain.coin, symbol)) return coinOf(chain);
  const found = Object.entries(chain.tokens).find(([name]) => isSameText(name, symbol));
  return found === undefined ? undefined : { kind: 'token', symbol: found[0], ...found[1] };
};

/** Whether two assets are the same: the coin, or tokens of the same contract. */
export const isSameAsset = (a: Asset, b: Asset): boolean => {
  if (a.kind === 'coin' || b.kind === 'coin') return a.kind === b.kind;
  return isSameText(a.address, b.address);
};

/** The symbol, or the contract's address of an unknown token. */
export const nameOfAsset = (asset: Asset): string => (asset.kind === 'unknown' ? asset.address : asset.symbol);

/** Units as decimal text; smallest units for unknown decimals. */
export const amountText = (asset: Asset, units: bigint): string =>
  asset.kind === 'unknown' ? units.toString() : fromUnits(units, asset.decimals);

/** An amount in words: "10.5 USDT", or "7 smallest units of 0x…". */
export const inWords = (asset: Asset, units: bigint): string =>
  asset.kind === 'unknown'
    ? `${units} smallest units of ${asset.address}`
    : `${amountText(asset, units)} ${asset.symbol}`;

/** A decimal text in the asset's smallest units; `undefined` for too many decimals, or text that is no amount. */
export const unitsOf = (asset: KnownAsset, amount: string): bigint | undefined =>
  undefinedOn(() => toUnits(amount, asset.decimals), 'invalid_input');
