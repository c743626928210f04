import { inSentence } from '../../core/remote-text.ts';
import { ALLOW_BLIND } from '../allow.ts';
import { type Check, confirm, pass, refuse } from '../verdict.ts';
import { assetNamed, inWords, isSameAsset, type KnownAsset, nameOfAsset, unitsOf } from './asset.ts';
import type { Context, Outlay } from './context.ts';

/** A token that the registry does not know: its name and decimals are anyone's claim. */
const checkStranger = ({ allowBlind }: Context, says: string): Check =>
  allowBlind ? pass('token', `${says} You allowed that.`) : confirm('token', says, ALLOW_BLIND);

/** What is paid is the token that was asked for, by its contract and not by its name. */
export const checkToken = (context: Context, { asset }: Outlay): Check => {
  const { chain, expected } = context;
  const symbol = expected.tokenSymbol;
  if (symbol === undefined) {
    if (asset.kind !== 'stranger') return pass('token', `It pays in ${asset.symbol}.`);
    return checkStranger(
      context,
      `It pays in ${asset.address}, a contract that is not a known token of ${chain.name}.`,
    );
  }
  const wanted = assetNamed(chain, symbol);
  if (wanted === undefined && asset.kind === 'stranger') {
    return checkStranger(
      context,
      `The contract of ${inSentence(symbol)} on ${chain.name} is not known; it pays in ${asset.address}.`,
    );
  }
  if (wanted !== undefined && isSameAsset(wanted, asset))
    return pass('token', `It pays in ${inSentence(symbol)}, as asked.`);
  return refuse('token', `It pays in ${nameOfAsset(asset)}, and ${inSentence(symbol)} was asked for.`);
};

const compareAmount = (asset: KnownAsset, total: bigint, amount: string): Check => {
  const asked = unitsOf(asset, amount);
  const says = `The amount is ${inWords(asset, total)}`;
  if (asked === undefined) {
    return refuse('amount', `${says}, and ${inSentence(amount)} was asked for, which ${asset.symbol} cannot express.`);
  }
  return asked === total
    ? pass('amount', `${says}, as asked.`)
    : refuse('amount', `${says}, and ${inSentence(amount)} was asked for.`);
};

/** The sum of all that is paid is the amount that was asked for. */
export const checkAmount = (context: Context, { asset, total }: Outlay): readonly Check[] => {
  const { amount } = context.expected;
  if (amount === undefined) return [];
  const paid = inWords(asset, total);
  if (amount === 'unknown') {
    const why = 'the payment is in another currency, so the amount cannot be compared';
    return [confirm('amount', `The amount is ${paid}; ${why}.`)];
  }
  if (asset.kind !== 'stranger') return [compareAmount(asset, total, amount)];
  const says = `The amount is ${paid}; how many decimals that token has is not known, so ${inSentence(amount)} cannot be compared.`;
  return [context.allowBlind ? pass('amount', `${says} You allowed that.`) : confirm('amount', says, ALLOW_BLIND)];
};
