import { COIN_DECIMALS } from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { isFailure } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';
import type { Chain } from './network.ts';

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
export const unitsOf = (asset: KnownAsset, amount: string): bigint | undefined => {
  try {
    return toUnits(amount, asset.decimals);
  } catch (error) {
    if (isFailure(error, 'invalid_input')) return undefined;
    throw error;
  }
};
