import { compareDecimals, splitUnits, sumDecimals, sumOf, sumsBy } from '../../core/decimal.ts';
import { inSentence, isSameText } from '../../core/text.ts';
import { allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import { normaliseEvmAddress, ZERO_ADDRESS } from './address.ts';
import type { Payment } from './calldata.ts';
import { isCertain } from './check-calls.ts';
import { type Debit, paidDebit, shownSimulationOf } from './check-simulation.ts';
import { type Context, type Outlay, outlaysOf, type Receiver } from './context.ts';
import { type Asset, assetAt, assetNamed, coinOf, inWords, isBridgeTo, isSameAsset, nameOfAsset } from './network.ts';

/** Sums by address: a wallet may be listed or paid more than once. */
const sumsByAddress = (payments: readonly Payment[]) => sumsBy(payments, ({ to }) => to.toLowerCase());

const contractsOf = ({ chain, unsigned, call }: Context, { asset }: Outlay): readonly string[] => [
  ...Object.values(chain.tokens).map((token) => token.address),
  ...(chain.splitter === undefined ? [] : [chain.splitter]),
  ...(asset.kind === 'coin' ? [] : [asset.address]),
  ...(call.kind === 'token' || call.kind === 'batch' ? [unsigned.to] : []),
];

/** A payment to the payer is refused unless the split lists the payer: it hides where the money goes. */
const checkPaysPayer = ({ unsigned, expected }: Context, { payments }: Outlay): readonly Check[] => {
  const isListed = expected.receivers?.some(({ wallet }) => isSameText(wallet, unsigned.from)) === true;
  if (isListed || !payments.some(({ to }) => isSameText(to, unsigned.from))) return [];
  return [refuse('receivers', `The transaction pays ${unsigned.from}, which is the payer.`)];
};

/** Payments that are lost: to the zero address, or to a contract that keeps what it receives. */
const checkLostPayments = (context: Context, outlay: Outlay): readonly Check[] => {
  const contracts = new Set(contractsOf(context, outlay).map((address) => address.toLowerCase()));
  return [...new Set(outlay.payments.map((payment) => payment.to))].flatMap((to) => {
    if (to !== ZERO_ADDRESS && !contracts.has(to.toLowerCase())) return [];
    const keeper = `${to}, a token or payment contract that keeps what it receives`;
    const whom = to === ZERO_ADDRESS ? 'the zero address' : keeper;
    return [refuse('receivers', `The transaction pays ${whom}: the money would be lost.`)];
  });
};

/** An address in between decides what the receivers get on another chain; bursar cannot see it. */
const otherChainNote = ({ chain, expected: { toChain } }: Context): string =>
  toChain === undefined || isSameText(toChain, chain.name)
    ? ''
    : ` Only that address decides what arrives on ${toChain}.`;

const isBridge = ({ chain, expected }: Context, address: string): boolean =>
  isBridgeTo(chain, expected.toChain, address);

const checkUnlisted = (context: Context, unlisted: readonly string[]): readonly Check[] =>
  unlisted.map((to) => {
    if (isBridge(context, to)) {
      const bridged = `The bridge pays the receivers on ${context.expected.toChain}.`;
      return pass('receivers', `The transaction pays ${to}, the sandbox's bridge. ${bridged}`);
    }
    const message = `The transaction pays ${to}, which is not in the payment's split.${otherChainNote(context)}`;
    if (context.isAllowed(to)) return pass('receivers', `${message} You allowed that address.`);
    return confirm('receivers', message, allowRecipient(to));
  });

/** The share of each wallet in a total. */
const sharesOf = (total: bigint, receivers: readonly Receiver[]): ReadonlyMap<string, bigint> => {
  const shares = splitUnits(
    total,
    receivers.map(({ percent }) => percent),
  );
  return sumsByAddress(receivers.map(({ wallet }, index) => ({ to: wallet, units: shares[index] ?? 0n })));
};

/** The receivers of a payment. `unlisted` are paid outside the split, and so get what a share lacks. */
type Split = {
  readonly receivers: readonly Receiver[];
  readonly mayBeShort: boolean;
  readonly unlisted: readonly string[];
};

/** A share that is too small. The option that allows a payment outside the split allows that too. */
const shortShare = (message: string, { mayBeShort, unlisted: [first] }: Split): Check | undefined => {
  if (first === undefined) return mayBeShort ? undefined : refuse('shares', message);
  const where = `${message} The rest goes to ${first}.`;
  return mayBeShort ? pass('shares', where) : refuse('shares', where, allowRecipient(first));
};

/**
 * Compares each receiver's amount with its percentage. The difference may be one smallest unit for each receiver:
 * the document does not define the rounding. A share may be smaller where the user allowed a payment outside the split.
 */
const checkShares = ({ asset, payments, total }: Outlay, split: Split): readonly Check[] => {
  const { receivers } = split;
  const paid = sumsByAddress(payments);
  const tolerance = BigInt(receivers.length);
  const wrong = [...sharesOf(total, receivers)].flatMap(([wallet, share]) => {
    const difference = (paid.get(wallet) ?? 0n) - share;
    if (difference <= tolerance && difference >= -tolerance) return [];
    const name = receivers.find((receiver) => isSameText(receiver.wallet, wallet))?.wallet ?? wallet;
    const gets = inWords(asset, paid.get(wallet) ?? 0n);
    const message = `${name} gets ${gets}; its share is ${inWords(asset, share)}.`;
    return difference > 0n ? [refuse('shares', message)] : (shortShare(message, split) ?? []);
  });
  if (wrong.length > 0) return wrong;
  // The contract may pay the rest later.
  if (split.mayBeShort && split.unlisted.length === 0) return [];
  return [pass('shares', 'Every receiver gets its share of the payment.')];
};

/**
 * Compares the payments with the split. `isPartly`: the called contract keeps a part, so that shares may be smaller.
 */
export const checkReceivers = (context: Context, outlay: Outlay, isPartly = false): readonly Check[] => {
  const lost = [...checkLostPayments(context, outlay), ...checkPaysPayer(context, outlay)];
  const { receivers } = context.expected;
  if (lost.length > 0 || receivers === undefined) return lost;
  const sum = sumDecimals(receivers.map(({ percent }) => percent));
  if (compareDecimals(sum, '100') !== 0) {
    return [refuse('shares', `The percentages of the split sum to ${sum}, not to 100.`)];
  }
  const listed = new Set(receivers.map(({ wallet }) => wallet.toLowerCase()));
  const recipients = [...new Set(outlay.payments.map((payment) => payment.to))];
  const unlisted = recipients.filter((to) => !listed.has(to.toLowerCase()));
  const isKnown = (to: string): boolean => context.isAllowed(to) || isBridge(context, to);
  const mayBeShort = isPartly || (unlisted.length > 0 && unlisted.every(isKnown));
  return [...checkUnlisted(context, unlisted), ...checkShares(outlay, { receivers, mayBeShort, unlisted })];
};

/** Addresses that gain the requested asset in the simulation. */
const gainsOf = (context: Context, { asset }: Debit): readonly Payment[] => {
  const of = asset.kind === 'coin' ? 'coin' : asset.address;
  const gains = shownSimulationOf(context)?.gains ?? [];
  return gains
    .filter((gain) => isSameText(gain.of, of))
    .map(({ to, units }) => ({ to: normaliseEvmAddress(to), units }));
};

/**
 * For a call that is not decoded: the receivers of the money by the simulation. Money may go to the receivers of the
 * split, or to the called contract, which may pay them later. Any other receiver is refused.
 */
export const checkGains = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  const requested = paidDebit(context);
  if (isCertain(context) || shownSimulationOf(context) === undefined) return [];
  if (requested === undefined || requested.units === 0n || expected.receivers === undefined) return [];
  const gains = gainsOf(context, requested);
  const kept = sumOf(gains.filter(({ to }) => isSameText(to, unsigned.to)));
  const payments = gains.filter(({ to }) => !isSameText(to, unsigned.to));
  const isListed = ({ to }: Payment) => expected.receivers?.some(({ wallet }) => isSameText(wallet, to)) === true;
  if (kept === 0n && !payments.some((payment) => isListed(payment) || context.isAllowed(payment.to))) {
    const whom = payments.map(({ to }) => to).join(' and ') || 'an address that the node does not show';
    const message = `Simulation: ${inWords(requested.asset, requested.units)} go to ${whom}`;
    return [refuse('receivers', `${message}, which is neither a receiver of the payment nor the called contract.`)];
  }
  const keeps = `The called contract ${unsigned.to} keeps ${inWords(requested.asset, kept)}.`;
  const outlay = { kind: 'pays', asset: requested.asset, payments, total: requested.units } as const;
  return [...(kept === 0n ? [] : [pass('receivers', keeps)]), ...checkReceivers(context, outlay, kept > 0n)];
};

/** Assets and their receivers: by the bytes, or by the simulation of a call that is not decoded. */
const receivedAssets = (context: Context): readonly { readonly asset: Asset; readonly to: string }[] => {
  const shown = isCertain(context) ? undefined : shownSimulationOf(context);
  const gained = (shown?.gains ?? []).map(({ of, to }) => ({
    asset: of === 'coin' ? coinOf(context.chain) : assetAt(context.chain, of),
    to,
  }));
  const paid = outlaysOf(context).filter(({ kind }) => kind === 'pays');
  return [...paid.flatMap(({ asset, payments }) => payments.map(({ to }) => ({ asset, to }))), ...gained];
};

const isRequestedAsset = ({ chain }: Context, asset: Asset, symbol: string): boolean => {
  const requested = assetNamed(chain, symbol);
  return requested ? isSameAsset(requested, asset) : isSameText(nameOfAsset(asset), symbol);
};

/**
 * Compares what the receivers get with the requested token and chain. The document describes no conversion afterwards,
 * so the user must confirm a difference. Payments to an address in between, such as a bridge, are not compared.
 */
export const checkReceivedAssets = (context: Context): readonly Check[] => {
  const { chain, expected } = context;
  const { receivers = [], toSymbol, toChain } = expected;
  const own = receivedAssets(context).filter(({ to }) => receivers.some(({ wallet }) => isSameText(wallet, to)));
  if (own.length === 0) return [];
  const others = toSymbol === undefined ? [] : own.filter(({ asset }) => !isRequestedAsset(context, asset, toSymbol));
  const names = [...new Set(others.map(({ asset }) => nameOfAsset(asset)))].join(' and ');
  const sent = `get ${inSentence(toSymbol ?? '')}; the transaction sends them ${names}`;
  const paid = `be paid on ${inSentence(toChain ?? '')}; the transaction pays them on ${chain.name}`;
  const isElsewhere = toChain !== undefined && !isSameText(toChain, chain.name);
  const differences = [...(names ? [sent] : []), ...(isElsewhere ? [paid] : [])];
  return differences.map((difference) => confirm('received', `Receivers should ${difference}.`));
};
