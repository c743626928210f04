import { COIN_DECIMALS } from '../../contract/chains.ts';
import { fromUnits, toUnits } from '../../core/decimal.ts';
import { inSentence } from '../../core/remote-text.ts';
import { isSameText } from '../../core/same-text.ts';
import type { RemainingApproval } from '../afterwards.ts';
import { lacksFunds } from '../funds.ts';
import { checkPolicy } from '../policy/check.ts';
import { leavingOf, type Outflow } from '../policy/footprint.ts';
import type { AppliedPolicy, PolicyInForce } from '../policy/policy.ts';
import { findChain, type Network } from '../registry.ts';
import { checkStated, type UnstatedFact } from '../stated.ts';
import { type Check, confirm, pass, refuse, type Verdict, worstFirst, worstOf } from '../verdict.ts';
import { normaliseEvmAddress } from './address.ts';
import { afterwardsOf } from './afterwards.ts';
import { type Asset, assetAt, assetNamed, coinOf, inWords, isSameAsset, nameOfAsset } from './asset.ts';
import type { Payment } from './calldata.ts';
import { isSure } from './check-batch.ts';
import { checkCalls, checkValue } from './check-call.ts';
import { checkChain, checkNonce, checkSigner } from './check-envelope.ts';
import { checkFee, mostFee } from './check-fee.ts';
import { checkFunds } from './check-funds.ts';
import { checkAmount, checkToken } from './check-money.ts';
import { checkNode } from './check-node.ts';
import { checkReceivers } from './check-receivers.ts';
import { checkSimulation, type Debit, paidDebit, shownTo } from './check-simulation.ts';
import {
  type Context,
  type ExpectedPayment,
  type KnownNonces,
  type Outlay,
  type Overrides,
  outlaysOf,
} from './context.ts';
import { decodeCall } from './decode.ts';
import { footprintOf, strictFootprintOf } from './footprint.ts';
import { type Move, movesOf } from './moves.ts';
import type { NodeFacts } from './node-facts.ts';
import type { OpenPin } from './pins.ts';
import { digestOf, type UnsignedEvm } from './transaction.ts';

/** What bursar found out about a transaction, for the user to see and for `approve` to judge. */
export type Review = {
  readonly verdict: Verdict;
  readonly chain: string;
  readonly chain_id: number;
  readonly from: string;
  readonly nonce: number;
  readonly moves: readonly Move[];
  /** Who may do what with the payer's money when it is done; empty where nobody may. */
  readonly remainingApprovals: readonly RemainingApproval[];
  /** What leaves the payer, token by token, the fee not counted: the measure of limits. */
  readonly outflows: readonly Outflow[];
  /** The most that the fee can cost, as decimal text of the chain's coin. */
  readonly fee: { readonly at_most: string; readonly coin: string };
  /** The worst first. */
  readonly checks: readonly Check[];
  /** The hash that a signature would sign: it stands for exactly these bytes. */
  readonly digest: string;
  /** The fields that were reviewed; the only ones that can be signed on the strength of this review. */
  readonly unsigned: UnsignedEvm;
};

/** What a review is made from. Only `unsigned` comes from the service. */
export type ReviewInput = {
  readonly unsigned: UnsignedEvm;
  readonly network: Network;
  readonly expected?: ExpectedPayment | undefined;
  /** The address of the key that will sign; left out in a review without one. */
  readonly signer?: string | undefined;
  readonly overrides?: Overrides | undefined;
  /** What a node of the chain says, where the user names one. */
  readonly node?: NodeFacts | undefined;
  /** The hash of another transaction of this key that may have been sent with the same nonce. */
  readonly nonceUsedBy?: string | undefined;
  /** What the journal knows of the payer's nonces. */
  readonly nonces?: KnownNonces | undefined;
  /** The user's own name for the payer. */
  readonly payerName?: string | undefined;
  /** Calls that the operator has written down as known. */
  readonly pins?: readonly OpenPin[] | undefined;
  /** Facts that nobody but the service states. */
  readonly unstated?: readonly UnstatedFact[] | undefined;
  /** The policies that hold for this signature. */
  readonly policy?: PolicyInForce | undefined;
};

const contextOf = (input: ReviewInput): Context => {
  const { unsigned, network, expected = {}, signer, overrides = {}, node, nonceUsedBy, pins = [] } = input;
  const { nonces, payerName } = input;
  const chain = findChain(network, unsigned.chainName);
  const allowed = new Set((overrides.allowRecipients ?? []).map(normaliseEvmAddress));
  return {
    unsigned,
    call: decodeCall(unsigned, chain),
    chain: chain ?? { name: unsigned.chainName, id: unsigned.chainId, coin: 'coins', tokens: {} },
    isKnownChain: chain !== undefined,
    expected,
    signer,
    allowBlind: overrides.allowBlind === true,
    isAllowed: (address) => allowed.has(address),
    feeCap: overrides.feeAtMost === undefined ? undefined : toUnits(overrides.feeAtMost, COIN_DECIMALS),
    node,
    nonceUsedBy,
    nonces,
    payerName,
    pins,
  };
};

const checkOutlay = (context: Context, outlay: Outlay): readonly Check[] => {
  const token = checkToken(context, outlay);
  // An amount or a share of the wrong token would only be compared with nonsense.
  if (token.verdict === 'refuse') return [token];
  const receivers = outlay.kind === 'allows' ? [] : checkReceivers(context, outlay);
  return [token, ...checkAmount(context, outlay), ...receivers];
};

/**
 * Decodes a transaction and holds it against what was asked. Reads nothing but its input.
 * Throws `invalid_input` for an amount, percentage or allowed address that is none.
 */
export const reviewEvm = (input: ReviewInput): Review => {
  const context = contextOf(input);
  const { unsigned, chain } = context;
  const funds = checkFunds(context);
  const found = [
    ...checkCalls(context),
    ...outlaysOf(context).flatMap((outlay) => checkOutlay(context, outlay)),
    ...checkValue(context),
    checkChain(context),
    ...checkSigner(context),
    ...checkNonce(context),
    ...checkNode(context),
    ...funds,
    // A transfer without the money for it fails: that is said once.
    ...(lacksFunds(funds) && context.node?.simulation.kind === 'fails' ? [] : checkSimulation(context)),
    ...checkGains(context),
    ...checkReceivedAssets(context),
    ...checkFee(context),
  ];
  const footprint = footprintOf(context, found);
  const footprintFor = ({ owner, policy }: AppliedPolicy) =>
    owner.kind === 'key' ? strictFootprintOf(context, found, policy) : footprint;
  const remainingApprovals = afterwardsOf(context);
  const outflows = leavingOf(footprint);
  // A call that is not understood may move what a contract keeps for the payer, and no balance shows it.
  const isHarmless = outflows.length === 0 && remainingApprovals.length === 0 && isSure(context);
  const stated = checkStated(input.unstated ?? [], isHarmless);
  const checks = worstFirst([...found, ...stated, ...checkPolicy(input.policy, footprintFor)]);
  return Object.freeze({
    verdict: worstOf(checks),
    chain: chain.name,
    chain_id: unsigned.chainId,
    from: unsigned.from,
    nonce: unsigned.nonce,
    moves: movesOf(context),
    remainingApprovals,
    outflows,
    fee: { at_most: fromUnits(mostFee(unsigned), COIN_DECIMALS), coin: chain.coin },
    checks: Object.freeze(checks),
    digest: digestOf(unsigned),
    unsigned,
  });
};

/** Who gains of what was asked for, by the simulation. */
const gainsOf = (context: Context, { asset }: Debit): readonly Payment[] => {
  const of = asset.kind === 'coin' ? 'coin' : asset.address;
  const gains = shownTo(context)?.gains ?? [];
  return gains
    .filter((gain) => isSameText(gain.of, of))
    .map(({ to, units }) => ({ to: normaliseEvmAddress(to), units }));
};

/**
 * Where a call that is not understood sends the money, as a simulation shows it: to the receivers of the split, by
 * their shares, or to the contract that is called. What a contract keeps is its own affair: the service pays out of
 * it, and nothing here can see how. Money that goes to neither is refused.
 */
const checkGains = (context: Context): readonly Check[] => {
  const { unsigned, expected } = context;
  const asked = paidDebit(context);
  if (isSure(context) || shownTo(context) === undefined || asked === undefined || asked.units === 0n) return [];
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
const checkReceivedAssets = (context: Context): readonly Check[] => {
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
