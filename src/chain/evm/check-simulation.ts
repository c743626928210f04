import { inSentence } from '../../core/remote-text.ts';
import { isSameText } from '../../core/same-text.ts';
import { ALLOW_BLIND, type Check, confirm, pass, refuse } from '../review/check.ts';
import { type Asset, assetAt, assetNamed, coinOf, inWords, isSameAsset, nameOfAsset, unitsOf } from './asset.ts';
import { checkPrice } from './check-money.ts';
import {
  type BalanceChange,
  type Context,
  isDecoded,
  type Outlay,
  outlaysOf,
  type Price,
  type Simulation,
  type SpendingPermission,
} from './context.ts';
/** A simulation that shows what moves. */
export type ShownSimulation = Extract<Simulation, { kind: 'shown' }>;

/** What should leave the payer: an asset, and how much of it in all. */
export type Debit = { readonly asset: Asset; readonly units: bigint };

/** What was asked for, where it can be expressed in units. */
export const requestedDebit = ({ chain, expected }: Context): Debit | undefined => {
  const { tokenSymbol, amount } = expected;
  const asset = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  if (asset === undefined || amount === undefined) return undefined;
  const units = unitsOf(asset, amount);
  return units === undefined ? undefined : { asset, units };
};

/** What of an outlay leaves the payer: what is paid to the payer itself does not. */
export const debitOf = ({ unsigned }: Context, { asset, payments }: Outlay): Debit => {
  const leaving = payments.filter(({ to }) => !isSameText(to, unsigned.from));
  return { asset, units: leaving.reduce((sum, { units }) => sum + units, 0n) };
};

/** What should leave the payer: what the bytes say, and where they are not understood, what was asked. */
const expectedDebits = (context: Context): readonly Debit[] | undefined => {
  if (isDecoded(context)) {
    const paid = outlaysOf(context).filter(({ kind }) => kind === 'pays');
    return paid.map((outlay) => debitOf(context, outlay));
  }
  const asked = requestedDebit(context);
  return asked && [asked];
};

const assetOf = ({ chain }: Context, { of }: BalanceChange): Asset =>
  of === 'coin' ? coinOf(chain) : assetAt(chain, of);

/** What leaves the payer by a simulation. */
export const lossesOf = (context: Context, { changes }: ShownSimulation): readonly Debit[] =>
  changes
    .filter(({ units }) => units < 0n)
    .map((change) => ({ asset: assetOf(context, change), units: -change.units }));

const listed = (debits: readonly Debit[]): string =>
  debits.map(({ asset, units }) => inWords(asset, units)).join(' and ') || 'nothing';

const isEqual = (a: readonly Debit[], b: readonly Debit[]): boolean => {
  const moving = (debits: readonly Debit[]) => debits.filter(({ units }) => units !== 0n);
  const [left, right] = [moving(a), moving(b)];
  const has = (one: Debit) => right.some(({ asset, units }) => isSameAsset(asset, one.asset) && units === one.units);
  return left.length === right.length && left.every(has);
};

/** Whoever may take something later was not simulated to take it now. */
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
  // A token may tell again, as it is moved, what was allowed before; bytes that are understood allow nothing new.
  if (isDecoded(context)) return [];
  return newPermissionsIn(context, shown).map(({ token, spender }) => {
    const name = nameOfAsset(assetAt(context.chain, token));
    return refuse('simulation', `Run on the node's state, it also lets ${spender} take ${name} later.`);
  });
};

/** A price in another currency than the payer's token, where that token is known. */
const pricedAsset = ({ chain, expected }: Context): { readonly asset: Asset; readonly price: Price } | undefined => {
  const { tokenSymbol, price } = expected;
  const asset = tokenSymbol === undefined ? undefined : assetNamed(chain, tokenSymbol);
  return asset === undefined || price === undefined ? undefined : { asset, price };
};

const lossOf = (losses: readonly Debit[], asset: Asset): Debit | undefined =>
  losses.find((loss) => isSameAsset(loss.asset, asset));

/** Nobody states an exact amount: what leaves is the payer's token alone, and it is compared with the user's bound. */
const checkPriced = (
  context: Context,
  losses: readonly Debit[],
  { asset, price }: NonNullable<ReturnType<typeof pricedAsset>>,
): readonly Check[] => {
  const message = `Run on the node's state, it takes ${listed(losses)} from the payer`;
  const isAlone = losses.every((loss) => isSameAsset(loss.asset, asset));
  if (!isAlone) return [refuse('simulation', `${message}, and it should take ${nameOfAsset(asset)} alone.`)];
  const total = lossOf(losses, asset)?.units ?? 0n;
  return [checkPrice(context, { asset, total }, price), pass('simulation', `${message}, and nothing else.`)];
};

const checkShown = (context: Context, shown: ShownSimulation): readonly Check[] => {
  const losses = lossesOf(context, shown);
  const message = `Run on the node's state, it takes ${listed(losses)} from the payer`;
  const wanted = expectedDebits(context);
  const stray = checkPermissions(context, shown);
  const priced = wanted === undefined ? pricedAsset(context) : undefined;
  if (priced) return [...stray, ...checkPriced(context, losses, priced)];
  if (wanted === undefined) {
    const open = `${message}; what it should take is not known.`;
    return [...stray, context.allowBlind ? pass('simulation', open) : confirm('simulation', open, ALLOW_BLIND)];
  }
  if (isEqual(losses, wanted)) return [...stray, pass('simulation', `${message}, and nothing else.`)];
  return [...stray, refuse('simulation', `${message}, and it should take ${listed(wanted)}.`)];
};

/** What a node of the transaction's own chain shows of it, where it can. */
export const shownSimulationOf = ({ node, unsigned }: Context): ShownSimulation | undefined =>
  node?.chainId === BigInt(unsigned.chainId) && node.simulation.kind === 'shown' ? node.simulation : undefined;

/** What the transaction does to the payer's balances when it is run on a node, against what it should do. */
export const checkSimulation = (context: Context): readonly Check[] => {
  const { node, unsigned } = context;
  // A node of another chain was refused as such.
  if (node === undefined || node.chainId !== BigInt(unsigned.chainId)) return [];
  const { simulation } = node;
  switch (simulation.kind) {
    case 'fails':
      return [refuse('simulation', `Run on the node's state, it fails: ${inSentence(simulation.reason)}`)];
    case 'runs':
      return [pass('simulation', 'It runs on the node, which cannot show what it moves (it has no eth_simulateV1).')];
    case 'shown':
      return checkShown(context, simulation);
    default: {
      const never: never = simulation;
      return never;
    }
  }
};

/** What a payment takes: what was asked, and for a price in another currency what a simulation shows of the payer's token. */
export const paidDebit = (context: Context): Debit | undefined => {
  const [priced, shown] = [pricedAsset(context), shownSimulationOf(context)];
  return priced && shown ? lossOf(lossesOf(context, shown), priced.asset) : requestedDebit(context);
};

/** Whether a simulation shows that exactly what was asked for leaves the payer, and that nothing is allowed. */
export const takesExactlyRequested = (context: Context): boolean => {
  const [asked, shown] = [requestedDebit(context), shownSimulationOf(context)];
  if (asked === undefined || shown === undefined) return false;
  return isEqual(lossesOf(context, shown), [asked]) && shown.permissions.length === 0;
};
