import { divideDecimals, isDecimal, parseDecimal } from '../../core/decimal.ts';
import { inSentence } from '../../core/remote-text.ts';
import { ABOVE_BOUND, ALLOW_BLIND, type Check, confirm, PAY_AT_MOST, pass, refuse } from '../review/check.ts';
import {
  type Asset,
  amountText,
  assetNamed,
  inWords,
  isSameAsset,
  type KnownAsset,
  nameOfAsset,
  unitsOf,
} from './asset.ts';
import { asSaid, type Context, type Outlay, type Price, wasSaid } from './context.ts';

/** A token that the registry does not know: its name and decimals are anyone's claim. */
const checkStranger = ({ allowBlind }: Context, message: string): Check =>
  allowBlind ? pass('token', `${message} You allowed that.`) : confirm('token', message, ALLOW_BLIND);

/** What is paid is the token that was asked for, by its contract and not by its name. */
export const checkToken = (context: Context, { asset }: Outlay): Check => {
  const { chain, expected } = context;
  const symbol = expected.tokenSymbol;
  if (symbol === undefined) {
    if (asset.kind !== 'unknown') return pass('token', `It pays in ${asset.symbol}.`);
    return checkStranger(
      context,
      `It pays in ${asset.address}, a contract that is not a known token of ${chain.name}.`,
    );
  }
  const wanted = assetNamed(chain, symbol);
  if (wanted === undefined && asset.kind === 'unknown') {
    return checkStranger(
      context,
      `The contract of ${inSentence(symbol)} on ${chain.name} is not known; it pays in ${asset.address}.`,
    );
  }
  if (wanted !== undefined && isSameAsset(wanted, asset))
    return pass('token', `It pays in ${inSentence(symbol)}, ${asSaid(expected, 'token')}.`);
  return refuse('token', `It pays in ${nameOfAsset(asset)}, and ${wasSaid(expected, 'token', symbol)}.`);
};

const compareAmount = ({ expected }: Context, asset: KnownAsset, total: bigint, amount: string): Check => {
  const asked = unitsOf(asset, amount);
  const message = `The amount is ${inWords(asset, total)}`;
  const other = wasSaid(expected, 'amount', amount);
  if (asked === undefined) return refuse('amount', `${message}, and ${other}, which ${asset.symbol} cannot express.`);
  return asked === total
    ? pass('amount', `${message}, ${asSaid(expected, 'amount')}.`)
    : refuse('amount', `${message}, and ${other}.`);
};

/** Digits of a rate that is shown; it is cut, and nothing is computed from it. */
const RATE_DIGITS = 6;

/** "It pays 9.06 USDT for 49.90 BRL (1 USDT = 5.507726 BRL)": price, amount and rate. */
const priceInWords = (asset: Asset, total: bigint, { amount, currency }: Price): string => {
  const paid = inWords(asset, total);
  if (asset.kind === 'unknown' || total === 0n || !isDecimal(amount))
    return `It pays ${paid} for ${inSentence(amount)} ${inSentence(currency)}`;
  const rate = divideDecimals(amount, amountText(asset, total), RATE_DIGITS);
  return `It pays ${paid} for ${inSentence(amount)} ${inSentence(currency)} (1 ${asset.symbol} = ${rate} ${inSentence(currency)})`;
};

/** How far, in percent, what is paid may be off the market before the user must confirm it, also under a policy. */
const MARKET_TOLERANCE = 5n;

/** A policy of the key stands for an amount that is near the market's. */
const checkMarket = (message: string, asset: Asset, total: bigint, market: string): Check => {
  const decimals = asset.kind === 'unknown' ? 0 : asset.decimals;
  const { units, scale } = parseDecimal(market);
  // Both sides times 100 and by the same power of ten: what the market says may have more digits than the token.
  const [paid, fair] = [total * 10n ** BigInt(scale) * 100n, units * 10n ** BigInt(decimals)];
  const isNear = paid <= fair * (100n + MARKET_TOLERANCE) && paid >= fair * (100n - MARKET_TOLERANCE);
  const told = `${message}; the market price is ${market}`;
  if (isNear) return pass('amount', `${told}, within ${MARKET_TOLERANCE} %. The policy of the key allows it.`);
  return { ...confirm('amount', `${told}: more than ${MARKET_TOLERANCE} % off.`), state_with: PAY_AT_MOST };
};

/**
 * Paid in another currency than priced: only a bound that the user states makes the amount the user's. `total` is what
 * the bytes pay, or what a simulation shows.
 */
export const checkPrice = (
  context: Context,
  { asset, total }: Pick<Outlay, 'asset' | 'total'>,
  price: Price,
): Check => {
  const message = priceInWords(asset, total, price);
  const { atMost } = price;
  if (atMost === undefined && price.market !== undefined) return checkMarket(message, asset, total, price.market);
  if (atMost === undefined) {
    return { ...confirm('amount', `${message}; the service alone states that amount.`), state_with: PAY_AT_MOST };
  }
  const most = asset.kind === 'unknown' ? undefined : unitsOf(asset, atMost);
  if (most === undefined) {
    const why = `the ${atMost} that you stated cannot be compared with it`;
    return context.allowBlind
      ? pass('amount', `${message}; ${why}. You allowed that.`)
      : confirm('amount', `${message}; ${why}.`, ALLOW_BLIND);
  }
  const bound = `the most that you stated is ${atMost}`;
  return total <= most ? pass('amount', `${message}; ${bound}.`) : refuse(ABOVE_BOUND, `${message}; ${bound}.`);
};

/** The sum of all that is paid is the amount that was asked for, or within the bound for a price in another currency. */
export const checkAmount = (context: Context, outlay: Outlay): readonly Check[] => {
  const { asset, total } = outlay;
  const { amount, price } = context.expected;
  if (price !== undefined) return [checkPrice(context, outlay, price)];
  if (amount === undefined) return [];
  if (asset.kind !== 'unknown') return [compareAmount(context, asset, total, amount)];
  const paid = inWords(asset, total);
  const message = `The amount is ${paid}; how many decimals that token has is not known, so ${inSentence(amount)} cannot be compared.`;
  return [
    context.allowBlind ? pass('amount', `${message} You allowed that.`) : confirm('amount', message, ALLOW_BLIND),
  ];
};
