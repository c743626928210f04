import { inSentence } from '../../core/remote-text.ts';
import { isSameText } from '../../core/same-text.ts';
import { type Check, confirm } from '../verdict.ts';
import { type Asset, assetAt, assetNamed, coinOf, isSameAsset, nameOfAsset } from './asset.ts';
import { isSure } from './check-batch.ts';
import { shownTo } from './check-simulation.ts';
import { type Context, outlaysOf } from './context.ts';

/** Who is handed what at once: by the bytes, and where they do not say it, by a simulation. */
const handed = (context: Context): readonly { readonly asset: Asset; readonly to: string }[] => {
  const shown = isSure(context) ? undefined : shownTo(context);
  const gained = (shown?.gains ?? []).map(({ of, to }) => ({
    asset: of === 'coin' ? coinOf(context.chain) : assetAt(context.chain, of),
    to,
  }));
  const paid = outlaysOf(context).filter(({ kind }) => kind === 'pays');
  return [...paid.flatMap(({ asset, payments }) => payments.map(({ to }) => ({ asset, to }))), ...gained];
};

const isAsked = ({ chain }: Context, asset: Asset, symbol: string): boolean => {
  const asked = assetNamed(chain, symbol);
  return asked ? isSameAsset(asked, asset) : isSameText(nameOfAsset(asset), symbol);
};

/**
 * What receivers are handed, against what they were to get and where. The document does not say that anything is
 * converted after it has reached them, so another token or chain is for a person to look at. What goes to somebody in
 * between, such as a bridge, says nothing of it.
 */
export const checkReceivedAssets = (context: Context): readonly Check[] => {
  const { chain, expected } = context;
  const { receivers = [], toSymbol, toChain } = expected;
  const own = handed(context).filter(({ to }) => receivers.some(({ wallet }) => isSameText(wallet, to)));
  if (own.length === 0) return [];
  const others = toSymbol === undefined ? [] : own.filter(({ asset }) => !isAsked(context, asset, toSymbol));
  const names = [...new Set(others.map(({ asset }) => nameOfAsset(asset)))].join(' and ');
  return [
    ...(names
      ? [confirm('received', `Receivers were to get ${inSentence(toSymbol ?? '')}; this sends them ${names}.`)]
      : []),
    ...(toChain !== undefined && !isSameText(toChain, chain.name)
      ? [confirm('received', `Receivers were to be paid on ${inSentence(toChain)}; this pays them on ${chain.name}.`)]
      : []),
  ];
};
