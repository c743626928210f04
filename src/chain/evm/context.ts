import { sumOf } from '../../core/decimal.ts';
import { inSentence } from '../../core/text.ts';
import type { SharedOverrides, SharedReviewInput } from '../review/review.ts';
import type { Payment } from './calldata.ts';
import type { Call } from './decode.ts';
import { type Asset, assetAt, type Chain, coinOf, isSameAsset, type Network } from './network.ts';
import type { UsablePin } from './pin.ts';
import type { UnsignedEvm } from './transaction.ts';

/** How a balance of the payer changes by a transaction, without the fee. A negative number is a loss. */
export type BalanceChange = {
  /** A token's contract, or `coin`. */
  readonly of: string;
  readonly units: bigint;
};

/** What an address other than the payer gains by a transaction, by its events. */
export type TokenGain = { readonly of: string; readonly to: string; readonly units: bigint };

/** A spending right that the payer grants (the events Approval and ApprovalForAll). */
export type SpendingPermission = { readonly token: string; readonly spender: string };

/** The result of a transaction that runs on the node's latest state. */
export type Simulation =
  | { readonly kind: 'fails'; readonly reason: string }
  /** The node shows that it succeeds, but not what it moves. */
  | { readonly kind: 'runs' }
  | {
      readonly kind: 'shown';
      readonly changes: readonly BalanceChange[];
      readonly gains: readonly TokenGain[];
      readonly permissions: readonly SpendingPermission[];
    };

/**
 * What a node of the chain shows before a transaction is signed. Its facts never make a verdict better, except for a
 * call that the operator pinned.
 */
export type NodeFacts = {
  readonly chainId: bigint;
  /** The payer's number of mined transactions, and the same with those that are waiting. */
  readonly minedNonce: bigint;
  readonly pendingNonce: bigint;
  /** The payer's balance of the chain's coin, in wei. */
  readonly coin: bigint;
  /** The payer's balances of tokens in smallest units, by contract in lower case; those that could be read. */
  readonly tokens: ReadonlyMap<string, bigint>;
  readonly simulation: Simulation;
};

/** A receiver of the payment's split. `percent` is a decimal text; the percentages of a split sum to 100. */
export type Receiver = { readonly wallet: string; readonly percent: string };

/** The requested payment. An unknown part is left out, and nothing is compared with it. */
export type ExpectedPayment = {
  readonly chainName?: string | undefined;
  /** The token that the payer pays with. */
  readonly tokenSymbol?: string | undefined;
  /** Decimal text in that token. */
  readonly amount?: string | undefined;
  /** In place of the amount, where the payment is in another currency. */
  readonly price?: Price | undefined;
  readonly receivers?: readonly Receiver[] | undefined;
  /** The token that the receivers should get in the end, and its chain. */
  readonly toSymbol?: string | undefined;
  readonly toChain?: string | undefined;
  readonly nonce?: number | undefined;
  /** Parts that only the service states. They are compared too, but are not called requested. */
  readonly unstated?: readonly ExpectedPart[] | undefined;
};

/** The parts of a payment that a check compares and names. */
export type ExpectedPart = 'amount' | 'token' | 'chain' | 'receivers';

/** "as requested", or "as the service says" for a part that only the service states. */
export const sourceInWords = ({ unstated }: ExpectedPayment, part: ExpectedPart): string =>
  unstated?.includes(part) ? 'as the service says' : 'as requested';

/** "10 was requested", or "the service says 10" for a part that only the service states. */
export const expectedInWords = ({ unstated }: ExpectedPayment, part: ExpectedPart, value: string): string =>
  unstated?.includes(part) ? `the service says ${inSentence(value)}` : `${inSentence(value)} was requested`;

/** A price in another currency than the payer's token, and the payer's maximum for it. */
export type Price = {
  readonly amount: string;
  readonly currency: string;
  /** Decimal text in the payer's token; `undefined` where the user stated no maximum. */
  readonly atMost: string | undefined;
  /** The market price in the payer's token, where only the key's policy covers the amount. */
  readonly market?: string | undefined;
};

/** The user's override options. */
export type Overrides = SharedOverrides & {
  /** Allow calls that bursar cannot decode. */
  readonly allowBlind?: boolean | undefined;
};

/** The input of a review. Only `unsigned` comes from the service. */
export type ReviewInput = SharedReviewInput & {
  readonly unsigned: UnsignedEvm;
  readonly network: Network;
  readonly expected?: ExpectedPayment | undefined;
  readonly overrides?: Overrides | undefined;
  /** Facts from a node, where the user names one. */
  readonly node?: NodeFacts | undefined;
  /** The hash of another transaction of this key with the same nonce that may have been sent. */
  readonly nonceUsedBy?: string | undefined;
  /** The payer's nonces in the journal. */
  readonly nonces?: KnownNonces | undefined;
  /** Calls that the operator pinned. */
  readonly pins?: readonly UsablePin[] | undefined;
};

/** The input of every check: that of the review, and what follows from it. */
export type Context = ReviewInput & {
  readonly call: Call;
  readonly chain: Chain;
  readonly isKnownChain: boolean;
  readonly expected: ExpectedPayment;
  readonly allowBlind: boolean;
  readonly isAllowed: (address: string) => boolean;
  readonly pins: readonly UsablePin[];
};

/** A payer's nonces on one chain, from the journal. */
export type KnownNonces = {
  /** Of transactions that this machine sent and that may be waiting to be mined. */
  readonly sent: readonly number[];
  /** Of the newest transaction that a service accepted. */
  readonly last: number | undefined;
};

/** Payments of one asset, or permissions to take it later, with their receivers. */
export type Outlay = {
  readonly kind: 'pays' | 'allows';
  readonly asset: Asset;
  readonly payments: readonly Payment[];
  readonly total: bigint;
};

/** One call, with the contract that it calls. */
export type SingleCall = {
  readonly to: string;
  readonly call: Exclude<Call, { kind: 'batch' }>;
  readonly mayFail: boolean;
};

/** All calls of a transaction: its own, or those of its batch and of batches inside it. */
export const singleCallsOf = (to: string, call: Call, mayFail = false): readonly SingleCall[] =>
  call.kind === 'batch'
    ? call.steps.flatMap((step) => singleCallsOf(step.to, step.call, mayFail || step.mayFail))
    : [{ to, call, mayFail }];

const outlay = (kind: Outlay['kind'], asset: Asset, payments: readonly Payment[]): Outlay => ({
  kind,
  asset,
  payments,
  total: sumOf(payments),
});

/** The outlay of one call; none for a call that is not decoded. */
const outlayOf = (chain: Chain, call: SingleCall['call']): readonly Outlay[] => {
  switch (call.kind) {
    case 'coin':
      return [outlay('pays', coinOf(chain), call.payments)];
    case 'token':
      return [outlay('pays', assetAt(chain, call.token), call.payments)];
    case 'allowance':
      return [outlay('allows', assetAt(chain, call.token), [{ to: call.spender, units: call.units }])];
    case 'dangerous':
    case 'malformed':
    case 'unknown':
      return [];
    default:
      return call satisfies never;
  }
};

/** Adds an outlay to those of the same asset and kind. */
const addOutlay = (all: readonly Outlay[], one: Outlay): readonly Outlay[] => {
  const same = all.find(({ kind, asset }) => kind === one.kind && isSameAsset(asset, one.asset));
  if (same === undefined) return [...all, one];
  const sum = outlay(one.kind, one.asset, [...same.payments, ...one.payments]);
  return all.map((each) => (each === same ? sum : each));
};

/** The decoded payments and permissions of a transaction, summed by asset. */
export const outlaysOf = ({ call, chain, unsigned }: Context): readonly Outlay[] =>
  singleCallsOf(unsigned.to, call)
    .flatMap((each) => outlayOf(chain, each.call))
    .reduce(addOutlay, []);

/** Contracts of the tokens that the payer spends; every token of the chain for a call that is not decoded. */
export const tokensSpent = ({ to }: UnsignedEvm, call: Call, chain: Chain | undefined): readonly string[] => {
  const calls = singleCallsOf(to, call).map((each) => each.call);
  const areDecoded = calls.every(({ kind }) => kind === 'coin' || kind === 'token' || kind === 'allowance');
  const known = Object.values(chain?.tokens ?? {}).map(({ address }) => address);
  const spent = calls.flatMap((each) => (each.kind === 'token' ? [each.token] : []));
  return [...new Set([...spent, ...(areDecoded ? [] : known)].map((address) => address.toLowerCase()))];
};

/** Whether every call of a transaction is decoded. */
export const isDecoded = ({ call, unsigned }: Context): boolean =>
  singleCallsOf(unsigned.to, call).every((each) => ['coin', 'token', 'allowance'].includes(each.call.kind));
