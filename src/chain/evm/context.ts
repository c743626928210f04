import { inSentence } from '../../core/remote-text.ts';
import { type Asset, assetAt, coinOf, isSameAsset } from './asset.ts';
import type { Payment } from './calldata.ts';
import type { Call } from './decode.ts';
import type { Chain } from './network.ts';
import type { UsablePin } from './pins.ts';
import type { UnsignedEvm } from './transaction.ts';

/** What the payer has more (or, below zero, less) of after a transaction; the fee is not counted. */
export type BalanceChange = {
  /** A token's contract, or `coin`. */
  readonly of: string;
  readonly units: bigint;
};

/** What somebody else has more of after a transaction, by its events. */
export type TokenGain = { readonly of: string; readonly to: string; readonly units: bigint };

/** What the payer lets somebody take from then on (the event Approval, or ApprovalForAll). */
export type SpendingPermission = { readonly token: string; readonly spender: string };

/** How a transaction would end, run on the node's latest state. */
export type Simulation =
  | { readonly kind: 'fails'; readonly reason: string }
  /** The node can tell that it runs, and not what it moves. */
  | { readonly kind: 'runs' }
  | {
      readonly kind: 'shown';
      readonly changes: readonly BalanceChange[];
      readonly gains: readonly TokenGain[];
      readonly permissions: readonly SpendingPermission[];
    };

/**
 * What a node of the chain says of a transaction before it is signed. It adds doubts and takes none away, but that of
 * a call that the operator pinned.
 */
export type NodeFacts = {
  readonly chainId: bigint;
  /** How many transactions of the payer are in blocks, and how many with those that wait. */
  readonly minedNonce: bigint;
  readonly pendingNonce: bigint;
  /** What the payer has of the chain's coin, in wei. */
  readonly coin: bigint;
  /** What the payer has of tokens, in smallest units, by their contracts in lower case; those that could be read. */
  readonly tokens: ReadonlyMap<string, bigint>;
  readonly simulation: Simulation;
};

/** A receiver of the payment's split. `percent` is a decimal text; all of a split sum to 100. */
export type Receiver = { readonly wallet: string; readonly percent: string };

/** What was asked for. A part that is not known is left out, and nothing is compared with it. */
export type ExpectedPayment = {
  readonly chainName?: string | undefined;
  /** The token that the payer pays with. */
  readonly tokenSymbol?: string | undefined;
  /** Decimal text in that token. */
  readonly amount?: string | undefined;
  /** In place of the amount, where the payment is in another currency. */
  readonly price?: Price | undefined;
  readonly receivers?: readonly Receiver[] | undefined;
  /** What the receivers are to get in the end, and on which chain. */
  readonly toSymbol?: string | undefined;
  readonly toChain?: string | undefined;
  readonly nonce?: number | undefined;
  /** Parts that the service alone states: they are compared all the same, and are not called asked for. */
  readonly unstated?: readonly ExpectedPart[] | undefined;
};

/** The parts of what is expected that a check compares and names. */
export type ExpectedPart = 'amount' | 'token' | 'chain' | 'receivers';

/** "as asked", or "as the service says" of a part that nobody stated here. */
export const asSaid = ({ unstated }: ExpectedPayment, part: ExpectedPart): string =>
  unstated?.includes(part) ? 'as the service says' : 'as asked';

/** "10 was asked for", or "the service says 10" of a part that nobody stated here. */
export const wasSaid = ({ unstated }: ExpectedPayment, part: ExpectedPart, value: string): string =>
  unstated?.includes(part) ? `the service says ${inSentence(value)}` : `${inSentence(value)} was asked for`;

/** A price in another currency than the payer pays in, and the most that the payer pays for it. */
export type Price = {
  readonly amount: string;
  readonly currency: string;
  /** Decimal text in the payer's token; `undefined` where nobody stated one. */
  readonly atMost: string | undefined;
  /** What the market makes of the price in the payer's token, where a policy of the key stands for the amount. */
  readonly market?: string | undefined;
};

/** The user's word, given in advance. None of it overrides a contradiction. */
export type Overrides = {
  /** Sign what is not understood. */
  readonly allowBlind?: boolean | undefined;
  /** Addresses that may receive, or be allowed to take, though they are not in the split. */
  readonly allowRecipients?: readonly string[] | undefined;
  /** The most that the whole fee may cost, as decimal text of the chain's coin. It replaces the usual maximum. */
  readonly feeAtMost?: string | undefined;
};

/** Everything that a check may look at. */
export type Context = {
  readonly unsigned: UnsignedEvm;
  readonly call: Call;
  readonly chain: Chain;
  readonly isKnownChain: boolean;
  readonly expected: ExpectedPayment;
  readonly signer: string | undefined;
  readonly allowBlind: boolean;
  readonly isAllowed: (address: string) => boolean;
  /** The most that the user lets the fee cost, in wei; `undefined` where nothing was stated. */
  readonly feeCap: bigint | undefined;
  /** What a node says, where one was asked. */
  readonly node: NodeFacts | undefined;
  /** The hash of another transaction that may have been sent with this nonce, as far as is known. */
  readonly nonceUsedBy: string | undefined;
  /** Nonces of the payer on this chain, by the journal; `undefined` where it was not read. */
  readonly nonces: KnownNonces | undefined;
  /** The user's own name for the payer. */
  readonly payerName: string | undefined;
  readonly pins: readonly UsablePin[];
};

/** What the journal knows of a payer's nonces on one chain. */
export type KnownNonces = {
  /** Those of transactions that were sent from here and may be waiting to be mined. */
  readonly sent: readonly number[];
  /** That of the newest transaction that a service took. */
  readonly last: number | undefined;
};

/** What a transaction pays, or allows to be taken later, in one asset, and to whom. */
export type Outlay = {
  readonly kind: 'pays' | 'allows';
  readonly asset: Asset;
  readonly payments: readonly Payment[];
  readonly total: bigint;
};

/** One call, with the contract that it is made to. */
export type SingleCall = {
  readonly to: string;
  readonly call: Exclude<Call, { kind: 'batch' }>;
  readonly mayFail: boolean;
};

/** The calls that a transaction makes in the end: its own, or those of its batch and of the batches in it. */
export const singleCallsOf = (to: string, call: Call, mayFail = false): readonly SingleCall[] =>
  call.kind === 'batch'
    ? call.steps.flatMap((step) => singleCallsOf(step.to, step.call, mayFail || step.mayFail))
    : [{ to, call, mayFail }];

const sumOf = (payments: readonly Payment[]): bigint => payments.reduce((sum, { units }) => sum + units, 0n);

const outlay = (kind: Outlay['kind'], asset: Asset, payments: readonly Payment[]): Outlay => ({
  kind,
  asset,
  payments,
  total: sumOf(payments),
});

/** The outlay of one call; none for a call that is not understood. */
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
    default: {
      const never: never = call;
      return never;
    }
  }
};

/** Adds an outlay to those of the same asset and kind. */
const addOutlay = (all: readonly Outlay[], one: Outlay): readonly Outlay[] => {
  const same = all.find(({ kind, asset }) => kind === one.kind && isSameAsset(asset, one.asset));
  if (same === undefined) return [...all, one];
  const sum = outlay(one.kind, one.asset, [...same.payments, ...one.payments]);
  return all.map((each) => (each === same ? sum : each));
};

/** All that a transaction is understood to pay and to allow, summed by asset. */
export const outlaysOf = ({ call, chain, unsigned }: Context): readonly Outlay[] =>
  singleCallsOf(unsigned.to, call)
    .flatMap((leaf) => outlayOf(chain, leaf.call))
    .reduce(addOutlay, []);

/** The contracts of the tokens that the payer spends by the bytes; every token of the chain where they do not say it. */
export const tokensSpent = ({ to }: UnsignedEvm, call: Call, chain: Chain | undefined): readonly string[] => {
  const leaves = singleCallsOf(to, call).map((leaf) => leaf.call);
  const isSure = leaves.every(({ kind }) => kind === 'coin' || kind === 'token' || kind === 'allowance');
  const known = Object.values(chain?.tokens ?? {}).map(({ address }) => address);
  const spent = leaves.flatMap((leaf) => (leaf.kind === 'token' ? [leaf.token] : []));
  return [...new Set([...spent, ...(isSure ? [] : known)].map((address) => address.toLowerCase()))];
};

/** Whether every call of a transaction is understood. */
export const isDecoded = ({ call, unsigned }: Context): boolean =>
  singleCallsOf(unsigned.to, call).every((leaf) => ['coin', 'token', 'allowance'].includes(leaf.call.kind));
