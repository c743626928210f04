import { amountText, coinOf, nameOfAsset } from './asset.ts';
import { type Context, isUnderstood, type Outlay, outlaysOf } from './context.ts';

/** One amount that leaves the payer. `token` is a symbol, or the contract where it has none that is known. */
export type Move = {
  readonly token: string;
  /** Decimal text; smallest units, as `label` then says, for a token that is not known. */
  readonly amount: string;
  readonly to: string;
  readonly label?: string;
};

const labelOf = ({ expected }: Context, { kind, asset }: Outlay, to: string): string | undefined => {
  if (kind === 'allows') return 'may take it later';
  const own = (expected.receivers ?? []).filter(({ wallet }) => wallet.toLowerCase() === to.toLowerCase());
  const share = own.map(({ percent }) => `${percent} %`).join(' + ');
  if (asset.kind === 'stranger') return share ? `${share}, in smallest units` : 'in smallest units';
  return share || undefined;
};

const movesIn = (context: Context, outlay: Outlay): readonly Move[] =>
  outlay.payments.map(({ to, units }) => {
    const label = labelOf(context, outlay, to);
    const move = { token: nameOfAsset(outlay.asset), amount: amountText(outlay.asset, units), to };
    return label === undefined ? move : { ...move, label };
  });

/** What leaves the payer, beside the fee. Of a call that is not understood only the coin sent along is known. */
export const movesOf = (context: Context): readonly Move[] => {
  const { unsigned, chain } = context;
  const moves = outlaysOf(context).flatMap((outlay) => movesIn(context, outlay));
  if (isUnderstood(context) || unsigned.value === 0n) return moves;
  const amount = amountText(coinOf(chain), unsigned.value);
  return [...moves, { token: chain.coin, amount, to: unsigned.to, label: 'sent with the call' }];
};
