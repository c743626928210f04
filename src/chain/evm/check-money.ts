import { divideDecimals, isDecimal, parseDecimal } from '../../core/decimal.ts';
import { inSentence } from '../../core/text.ts';
import { ABOVE_BOUND, ALLOW_BLIND, type Check, confirm, PAY_AT_MOST, pass, refuse } from '../review/check.ts';
import { type Context, expectedInWords, type Outlay, type Price, sourceInWords } from './context.ts';
import {
  type Asset,
  amountText,
  assetNamed,
  inWords,
  isSameAsset,
  type KnownAsset,
  nameOfAsset,
  unitsOf,
} from './network.ts';

/** A check that the user may override with --allow-blind. */
const allowBlindly = ({ allowBlind }: Context, id: string, message: string): Check =>
  allowBlind ? pass(id, `${message} You allowed it with ${ALLOW_BLIND}.`) : confirm(id, message, ALLOW_BLIND);

/** The transaction pays in the requested token, compared by contract and not by name. */
export const checkToken = (context: Context, { asset }: Outlay): Check => {
  const { chain, expected } = context;
  const symbol = expected.tokenSymbol;
  if (symbol === undefined) {
    if (asset.kind !== 'unknown') return pass('token', `Token: ${asset.symbol}.`);
    return allowBlindly(
      context,
      'token',
      `Token: ${asset.address}, a contract that is not a known token of ${chain.name}.`,
    );
  }
  const requested = assetNamed(chain, symbol);
  if (requested === undefined && asset.kind === 'unknown') {
    const message = `the contract of ${inSentence(symbol)} on ${chain.name} is unknown`;
    return allowBlindly(context, 'token', `Token: ${asset.address}; ${message}.`);
  }
  if (requested !== undefined && isSameAsset(requested, asset)) {
    return pass('token', `Token: ${inSentence(symbol)}, ${sourceInWords(expected, 'token')}.`);
  }
  return refuse('token', `Token: ${nameOfAsset(asset)}; ${expectedInWords(expected, 'token', symbol)}.`);
};

const compareAmount = ({ expected }: Context, asset: KnownAsset, total: bigint, amount: string): Check => {
  const requested = unitsOf(asset, amount);
  const message = `Amount: ${inWords(asset, total)}`;
  const other = expectedInWords(expected, 'amount', amount);
  if (requested === undefined) return refuse('amount', `${message}; ${other}, which is no amount of ${asset.symbol}.`);
  return requested === total
    ? pass('amount', `${message}, ${sourceInWords(expected, 'amount')}.`)
    : refuse('amount', `${message}; ${other}.`);
};

/** Digits of the rate on the screen; the rate is cut and used for nothing else. */
const RATE_DIGITS = 6;

/** "Amount: 9.06 USDT for 49.90 BRL (1 USDT = 5.507726 BRL)". */
const priceInWords = (asset: Asset, total: bigint, { amount, currency }: Price): string => {
  const message = `Amount: ${inWords(asset, total)} for ${inSentence(amount)} ${inSentence(currency)}`;
  if (asset.kind === 'unknown' || total === 0n || !isDecimal(amount)) return message;
  const rate = divideDecimals(amount, amountText(asset, total), RATE_DIGITS);
  return `${message} (1 ${asset.symbol} = ${rate} ${inSentence(currency)})`;
};

/** Above this difference to the market, in percent, the user must confirm the amount, also under a policy. */
const MARKET_TOLERANCE = 5n;

/** Compares an amount that only the key's policy covers with the market price. */
const checkMarket = (message: string, asset: Asset, total: bigint, market: string): Check => {
  const decimals = asset.kind === 'unknown' ? 0 : asset.decimals;
  const { units, scale } = parseDecimal(market);
  // Both sides are multiplied by 100 and the same power of ten: the market price may have more digits than the token.
  const [paid, fair] = [total * 10n ** BigInt(scale) * 100n, units * 10n ** BigInt(decimals)];
  const isNear = paid <= fair * (100n + MARKET_TOLERANCE) && paid >= fair * (100n - MARKET_TOLERANCE);
  const compared = `${message}; the market price is ${market}`;
  if (isNear) {
    return pass(
      'amount',
      `${compared}. The difference is within ${MARKET_TOLERANCE} %, and the key's policy allows it.`,
    );
  }
  return {
    ...confirm('amount', `${compared}. The difference is more than ${MARKET_TOLERANCE} %.`),
    state_with: PAY_AT_MOST,
  };
};

/**
 * The amount of a payment that is priced in another currency. Only a maximum from the user states it. `total` is the
 * amount in the bytes, or in the simulation.
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
    return { ...confirm('amount', `${message}, as the service says.`), state_with: PAY_AT_MOST };
  }
  const most = asset.kind === 'unknown' ? undefined : unitsOf(asset, atMost);
  if (most === undefined) {
    return allowBlindly(context, 'amount', `${message}. It cannot be compared with your maximum of ${atMost}.`);
  }
  return total <= most
    ? pass('amount', `${message}, within your maximum of ${atMost}.`)
    : refuse(ABOVE_BOUND, `${message}, above your maximum of ${atMost}.`);
};

/** The sum of all payments is the requested amount, or within the maximum for a price in another currency. */
export const checkAmount = (context: Context, outlay: Outlay): readonly Check[] => {
  const { asset, total } = outlay;
  const { amount, price } = context.expected;
  if (price !== undefined) return [checkPrice(context, outlay, price)];
  if (amount === undefined) return [];
  if (asset.kind !== 'unknown') return [compareAmount(context, asset, total, amount)];
  const message = `Amount: ${inWords(asset, total)}. The decimals of that token are not known, so it cannot be compared with`;
  return [allowBlindly(context, 'amount', `${message} ${inSentence(amount)}.`)];
};
