import { compareDecimals, splitUnits, sumDecimals } from '../../core/decimal.ts';
import { inSentence } from '../../core/remote-text.ts';
import { isSameText } from '../../core/same-text.ts';
import { allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import { normaliseEvmAddress, ZERO_ADDRESS } from './address.ts';
import { type Asset, assetAt, assetNamed, coinOf, inWords, isSameAsset, nameOfAsset } from './asset.ts';
import type { Payment } from './calldata.ts';
import { isCertain } from './check-calls.ts';
import { type Debit, paidDebit, shownSimulationOf } from './check-simulation.ts';
import { type Context, type Outlay, outlaysOf, type Receiver } from './context.ts';
import { isBridgeTo } from './network.ts';

/** Sums per address: a wallet may be listed, or paid, more than once. */
const sumsByAddress = (payments: readonly Payment[]): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { to, units } of payments) {
    const key = to.toLowerCase();
    sums.set(key, (sums.get(key) ?? 0n) + units);
  }
  return sums;
};

const contractsOf = ({ chain, unsigned, call }: Context, { asset }: Outlay): readonly string[] => [
  ...Object.values(chain.tokens).map((token) => token.address),
  ...(chain.splitter === undefined ? [] : [chain.splitter]),
  ...(asset.kind === 'coin' ? [] : [asset.address]),
  ...(call.kind === 'token' || call.kind === 'batch' ? [unsigned.to] : []),
];

/** The payer is paid only where the split names it: anything else hides where the money goes. */
const checkPaysPayer = ({ unsigned, expected }: Context, { payments }: Outlay): readonly Check[] => {
  const isListed = expected.receivers?.some(({ wallet }) => isSameText(wallet, unsigned.from)) === true;
  if (isListed || !payments.some(({ to }) => isSameText(to, unsigned.from))) return [];
  return [refuse('receivers', `It pays to ${unsigned.from}, which is the payer.`)];
};

/** Nothing goes where nobody can get it back: the zero address, or a contract that keeps what it is sent. */
const checkLostPayments = (context: Context, outlay: Outlay): readonly Check[] => {
  const contracts = new Set(contractsOf(context, outlay).map((address) => address.toLowerCase()));
  return [...new Set(outlay.payments.map((payment) => payment.to))].flatMap((to) => {
    if (to === ZERO_ADDRESS) return [refuse('receivers', 'It pays to the zero address: that is lost.')];
    if (!contracts.has(to.toLowerCase())) return [];
    return [
      refuse(
        'receivers',
        `It pays to ${to}, which is a contract that pays or is paid in, and keeps what it is sent: that is lost.`,
      ),
    ];
  });
};

/** Whoever is paid in between decides what the receivers get elsewhere: nothing here can see it. */
const otherChainNote = ({ chain, expected: { toChain } }: Context): string =>
  toChain === undefined || isSameText(toChain, chain.name)
    ? ''
    : ` What arrives on ${toChain} is that address's word alone.`;

const isBridge = ({ chain, expected }: Context, address: string): boolean =>
  isBridgeTo(chain, expected.toChain, address);

const checkUnlisted = (context: Context, strangers: readonly string[]): readonly Check[] =>
  strangers.map((to) => {
    if (isBridge(context, to)) {
      return pass(
        'receivers',
        `It pays to ${to}, the sandbox's bridge, which pays the receivers on ${context.expected.toChain}.`,
      );
    }
    const message = `It pays to ${to}, who is not in the split of the payment.${otherChainNote(context)}`;
    if (context.isAllowed(to)) return pass('receivers', `${message} You allowed that address.`);
    return confirm('receivers', message, allowRecipient(to));
  });

/** The shares that a split gives each wallet of a total. */
const sharesOf = (total: bigint, receivers: readonly Receiver[]): ReadonlyMap<string, bigint> => {
  const shares = splitUnits(
    total,
    receivers.map(({ percent }) => percent),
  );
  return sumsByAddress(receivers.map(({ wallet }, index) => ({ to: wallet, units: shares[index] ?? 0n })));
};

/** `strangers`: who is paid outside the split, and so has what a share lacks. */
type Split = {
  readonly receivers: readonly Receiver[];
  readonly mayBeShort: boolean;
  readonly strangers: readonly string[];
};

/** A share that is short where somebody outside the split is paid: the word that lets that one be paid lets it be so. */
const shortShare = (message: string, { mayBeShort, strangers: [stranger] }: Split): Check | undefined => {
  if (stranger === undefined) return mayBeShort ? undefined : refuse('shares', message);
  const where = `${message} The rest goes to ${stranger}.`;
  return mayBeShort ? pass('shares', where) : refuse('shares', where, allowRecipient(stranger));
};

/**
 * Each receiver gets its percentage, to within one smallest unit for each receiver: cutting to whole units
 * leaves that much, and the document does not say to whom it goes. Where somebody outside the split is paid, a share may
 * be short with the user's word for that one, for that is whom it went to; it is never more.
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
    return [difference > 0n ? refuse('shares', message) : shortShare(message, split)].filter(
      (check) => check !== undefined,
    );
  });
  if (wrong.length > 0) return wrong;
  // What a contract keeps may be paid out of it later.
  if (split.mayBeShort && split.strangers.length === 0) return [];
  return [pass('shares', 'Every receiver of the payment gets its share.')];
};

/**
 * Who is paid, against the split of the payment. `isPartly`: the contract that is called keeps some of it, so that
 * shares may be short.
 */
export const checkReceivers = (context: Context, outlay: Outlay, isPartly = false): readonly Check[] => {
  const lost = [...checkLostPayments(context, outlay), ...checkPaysPayer(context, outlay)];
  const { receivers } = context.expected;
  if (lost.length > 0 || receivers === undefined) return lost;
  const sum = sumDecimals(receivers.map(({ percent }) => percent));
  if (compareDecimals(sum, '100') !== 0) {
    return [refuse('shares', `The percentages of the payment sum to ${sum}, not to 100.`)];
  }
  const listed = new Set(receivers.map(({ wallet }) => wallet.toLowerCase()));
  const recipients = [...new Set(outlay.payments.map((payment) => payment.to))];
  const strangers = recipients.filter((to) => !listed.has(to.toLowerCase()));
  const isKnown = (to: string): boolean => context.isAllowed(to) || isBridge(context, to);
  const mayBeShort = isPartly || (strangers.length > 0 && strangers.every(isKnown));
  return [...checkUnlisted(context, strangers), ...checkShares(outlay, { receivers, mayBeShort, strangers })];
};

/** Who gains of what was asked for, by the simulation. */
const gainsOf = (context: Context, { asset }: Debit): readonly Payment[] => {
  const of = asset.kind === 'coin' ? 'coin' : asset.address;
  const gains = shownSimulationOf(context)?.gains ?? [];
  return gains
    .filter((gain) => isSameText(gain.of, of))
    .map(({ to, units }) => ({ to: normaliseEvmAddress(to), units }));
};

/**
 * Where a call that is not understood sends the money, as a simulation shows it: to the receivers of the split, by
 * their shares, or to the contract that is called. What a contract keeps is its own affair: the service pays out of
 * it, and nothing here can see how. Money that goes to neither is refused.
 */
export const checkGains = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  const asked = paidDebit(context);
  if (isCertain(context) || shownSimulationOf(context) === undefined || asked === undefined || asked.units === 0n)
    return [];
  if (expected.receivers === undefined) return [];
  const gains = gainsOf(context, asked);
  const kept = gains.filter(({ to }) => isSameText(to, unsigned.to)).reduce((sum, { units }) => sum + units, 0n);
  const payments = gains.filter(({ to }) => !isSameText(to, unsigned.to));
  const isListed = ({ to }: Payment) => expected.receivers?.some(({ wallet }) => isSameText(wallet, to)) === true;
  if (kept === 0n && !payments.some((payment) => isListed(payment) || context.isAllowed(payment.to))) {
    const whom = payments.map(({ to }) => to).join(' and ') || 'nobody that the node can name';
    const message = `Run on the node's state, ${inWords(asked.asset, asked.units)} go to ${whom}`;
    return [
      refuse('receivers', `${message}: neither to a receiver of the payment nor to the contract that is called.`),
    ];
  }
  const keeps = kept === 0n ? [] : [pass('receivers', `${unsigned.to} keeps ${inWords(asked.asset, kept)} of it.`)];
  const outlay = { kind: 'pays', asset: asked.asset, payments, total: asked.units } as const;
  return [...keeps, ...checkReceivers(context, outlay, kept > 0n)];
};

/** Who is handed what at once: by the bytes, and where they do not say it, by a simulation. */
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
  const own = receivedAssets(context).filter(({ to }) => receivers.some(({ wallet }) => isSameText(wallet, to)));
  if (own.length === 0) return [];
  const others = toSymbol === undefined ? [] : own.filter(({ asset }) => !isRequestedAsset(context, asset, toSymbol));
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
