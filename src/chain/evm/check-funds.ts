import { FUNDS } from '../funds.ts';
import { type Check, pass, refuse } from '../verdict.ts';
import { type Asset, coinOf, inWords, isSameAsset } from './asset.ts';
import { mostFee } from './check-fee.ts';
import { askedDebit, type Debit, debitOf } from './check-simulation.ts';
import { type Context, isUnderstood, outlaysOf } from './context.ts';

/** Tokens that leave the payer: by the bytes, and where they are not understood, by what was asked. */
const tokensNeeded = (context: Context): readonly Debit[] => {
  const paid = outlaysOf(context).filter(({ kind }) => kind === 'pays');
  const debits = paid.map((outlay) => debitOf(context, outlay));
  const asked = isUnderstood(context) ? undefined : askedDebit(context);
  const all =
    asked === undefined || debits.some(({ asset }) => isSameAsset(asset, asked.asset)) ? debits : [...debits, asked];
  return all.filter(({ asset, units }) => asset.kind !== 'coin' && units > 0n);
};

/** What an address has of an asset, as far as the node could read it. */
const heldOf = ({ node }: Context, asset: Asset): bigint | undefined =>
  asset.kind === 'coin' ? node?.coin : node?.tokens.get(asset.address.toLowerCase());

/**
 * Whether the payer has what the transaction pays, and the coin for its value and its whole fee, as a node of the chain
 * shows it. Says nothing without a node, or with one of another chain.
 */
export const checkFunds = (context: Context): readonly Check[] => {
  const { node, unsigned, chain, payerName } = context;
  if (node?.chainId !== BigInt(unsigned.chainId)) return [];
  const needed = [...tokensNeeded(context), { asset: coinOf(chain), units: unsigned.value + mostFee(unsigned) }];
  const read = needed.flatMap(({ asset, units }) => {
    const has = heldOf(context, asset);
    return has === undefined ? [] : [{ asset, units, has }];
  });
  const who = payerName ?? unsigned.from;
  const short = read.filter(({ units, has }) => has < units);
  if (short.length === 0) {
    const holds = read.map(({ asset, has }) => inWords(asset, has)).join(' and ');
    return [pass(FUNDS, `${who} has ${holds} on ${chain.name}: enough.`)];
  }
  return short.map(({ asset, units, has }) => {
    const missing = has === 0n ? '' : ` (${inWords(asset, units - has)} missing)`;
    return refuse(
      FUNDS,
      `${who} has ${inWords(asset, has)} on ${chain.name}; this needs ${inWords(asset, units)}${missing}.`,
    );
  });
};
