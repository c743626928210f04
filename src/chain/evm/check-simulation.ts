import { divideDecimals, isDecimal, parseDecimal, sumOf } from '../../core/decimal.ts';
import { inSentence, isSameText } from '../../core/text.ts';
import { ABOVE_BOUND, ALLOW_BLIND, type Check, confirm, PAY_AT_MOST, pass, refuse } from '../review/check.ts';
import {
  type Context,
  isDecoded,
  type Outlay,
  outlaysOf,
  type Price,
  type Simulation,
  type SpendingPermission,
} from './context.ts';
import {
  type Asset,
  amountText,
  assetAt,
  assetNamed,
  coinOf,
  inWords,
  isSameAsset,
  nameOfAsset,
  unitsOf,
} from './network.ts';

/** A check that the user may override with --allow-blind. */
export const allowBlindly = ({ allowBlind }: Context, id: string, message: string): Check =>
  allowBlind ? pass(id, `${message} You allowed it with ${ALLOW_BLIND}.`) : confirm(id, message, ALLOW_BLIND);

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
  const within = `${compared}. The difference is within ${MARKET_TOLERANCE} %, and the key's policy allows it.`;
  if (isNear) return pass('amount', within);
  const above = `${compared}. The difference is more than ${MARKET_TOLERANCE} %.`;
  return { ...confirm('amount', above), state_with: PAY_AT_MOST };
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
  const { atMost, market } = price;
  if (atMost === undefined) {
    if (market !== undefined) return checkMarket(message, asset, total, market);
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
/** A simulation with balance changes. */
export type ShownSimulation = Extract<Simulation, { kind: 'shown' }>;

/** An amount of one asset that leaves the payer. */
export type Debit = { readonly asset: Asset; readonly units: bigint };

/** The requested amount, where its asset is known and can express it. */
export const requestedDebit = ({ chain, expected }: Context): Debit | undefined => {
  const { tokenSymbol, amount } = expected;
  const asset = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  if (asset === undefined || amount === undefined) return undefined;
  const units = unitsOf(asset, amount);
  return units === undefined ? undefined : { asset, units };
};

/** The part of an outlay that leaves the payer; payments to the payer itself do not. */
export const debitOf = ({ unsigned }: Context, { asset, payments }: Outlay): Debit => {
  return { asset, units: sumOf(payments.filter(({ to }) => !isSameText(to, unsigned.from))) };
};

/** The debits of the decoded payments, without permissions to take a token later. */
export const paidDebits = (context: Context): readonly Debit[] =>
  outlaysOf(context)
    .filter(({ kind }) => kind === 'pays')
    .map((outlay) => debitOf(context, outlay));

/** The expected debits: by the bytes, or by the request for a call that is not decoded. */
const expectedDebits = (context: Context): readonly Debit[] | undefined => {
  if (isDecoded(context)) return paidDebits(context);
  const requested = requestedDebit(context);
  return requested && [requested];
};

/** The debits of the payer by a simulation. */
export const lossesOf = ({ chain }: Context, { changes }: ShownSimulation): readonly Debit[] =>
  changes
    .filter(({ units }) => units < 0n)
    .map(({ of, units }) => ({ asset: of === 'coin' ? coinOf(chain) : assetAt(chain, of), units: -units }));

const debitsInWords = (debits: readonly Debit[]): string =>
  debits.map(({ asset, units }) => inWords(asset, units)).join(' and ') || 'nothing';

const isEqual = (a: readonly Debit[], b: readonly Debit[]): boolean => {
  const moving = (debits: readonly Debit[]) => debits.filter(({ units }) => units !== 0n);
  const [left, right] = [moving(a), moving(b)];
  const has = (one: Debit) => right.some(({ asset, units }) => isSameAsset(asset, one.asset) && units === one.units);
  return left.length === right.length && left.every(has);
};

/** Spending rights in a simulation that the decoded bytes do not grant. */
export const newPermissionsIn = (context: Context, { permissions }: ShownSimulation): readonly SpendingPermission[] => {
  const allowed = outlaysOf(context).filter(({ kind }) => kind === 'allows');
  const isKnown = ({ token, spender }: SpendingPermission) =>
    allowed.some(
      ({ asset, payments }) =>
        isSameAsset(asset, assetAt(context.chain, token)) && payments.some(({ to }) => isSameText(to, spender)),
    );
  return permissions.filter((permission) => !isKnown(permission));
};

const checkPermissions = (context: Context, shown: ShownSimulation): readonly Check[] => {
  // A transfer may repeat the event of an earlier permission; decoded bytes grant no new one.
  if (isDecoded(context)) return [];
  return newPermissionsIn(context, shown).map(({ token, spender }) => {
    const name = nameOfAsset(assetAt(context.chain, token));
    return refuse('simulation', `Simulation: the transaction also lets ${spender} take ${name} later.`);
  });
};

/** The payer's token and the price in another currency, where that token is known. */
const pricedAsset = ({ chain, expected }: Context): { readonly asset: Asset; readonly price: Price } | undefined => {
  const { tokenSymbol, price } = expected;
  const asset = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  return asset === undefined || price === undefined ? undefined : { asset, price };
};

const lossOf = (losses: readonly Debit[], asset: Asset): Debit | undefined =>
  losses.find((loss) => isSameAsset(loss.asset, asset));

/** A price has no exact amount: only the payer's token may leave, within the user's maximum. */
const checkPriced = (
  context: Context,
  losses: readonly Debit[],
  { asset, price }: NonNullable<ReturnType<typeof pricedAsset>>,
): readonly Check[] => {
  const message = `Simulation: the payer loses ${debitsInWords(losses)}`;
  const isAlone = losses.every((loss) => isSameAsset(loss.asset, asset));
  if (!isAlone) return [refuse('simulation', `${message}; it should lose only ${nameOfAsset(asset)}.`)];
  const total = lossOf(losses, asset)?.units ?? 0n;
  return [checkPrice(context, { asset, total }, price), pass('simulation', `${message}, and nothing else.`)];
};

const checkShown = (context: Context, shown: ShownSimulation): readonly Check[] => {
  const losses = lossesOf(context, shown);
  const message = `Simulation: the payer loses ${debitsInWords(losses)}`;
  const expected = expectedDebits(context);
  const permissions = checkPermissions(context, shown);
  if (expected === undefined) {
    const priced = pricedAsset(context);
    if (priced) return [...permissions, ...checkPriced(context, losses, priced)];
    const open = `${message}. The requested amount is not known.`;
    return [...permissions, context.allowBlind ? pass('simulation', open) : confirm('simulation', open, ALLOW_BLIND)];
  }
  if (isEqual(losses, expected)) return [...permissions, pass('simulation', `${message}, and nothing else.`)];
  return [...permissions, refuse('simulation', `${message}; it should lose ${debitsInWords(expected)}.`)];
};

/** The balance changes from a node of the transaction's chain; `undefined` without them. */
export const shownSimulationOf = ({ node, unsigned }: Context): ShownSimulation | undefined =>
  node?.chainId === BigInt(unsigned.chainId) && node.simulation.kind === 'shown' ? node.simulation : undefined;

const RUNS = 'Simulation: the transaction succeeds. The node has no eth_simulateV1, so it does not show what moves.';

/** Compares the payer's balance changes in a simulation with the expected ones. */
export const checkSimulation = (context: Context): readonly Check[] => {
  const { node, unsigned } = context;
  // `checkNode` refuses a node of another chain.
  if (node?.chainId !== BigInt(unsigned.chainId)) return [];
  const { simulation } = node;
  switch (simulation.kind) {
    case 'fails':
      return [refuse('simulation', `Simulation: the transaction fails: ${inSentence(simulation.reason)}`)];
    case 'runs':
      return [pass('simulation', RUNS)];
    case 'shown':
      return checkShown(context, simulation);
    default:
      return simulation satisfies never;
  }
};

/** The payment's debit: the requested one, or the simulated one for a price in another currency. */
export const paidDebit = (context: Context): Debit | undefined => {
  const [priced, shown] = [pricedAsset(context), shownSimulationOf(context)];
  return priced && shown ? lossOf(lossesOf(context, shown), priced.asset) : requestedDebit(context);
};

/** Whether a simulation shows that exactly the requested amount leaves the payer, and no right is granted. */
export const takesExactlyRequested = (context: Context): boolean => {
  const [requested, shown] = [requestedDebit(context), shownSimulationOf(context)];
  if (requested === undefined || shown === undefined) return false;
  return isEqual(lossesOf(context, shown), [requested]) && shown.permissions.length === 0;
};
