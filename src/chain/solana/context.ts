import type { Outflow } from '../review/policy.ts';
import type { SharedOverrides, SharedReviewInput } from '../review/review.ts';
import type { AccountState, Simulation } from './accounts.ts';
import type { Flow } from './flows.ts';
import type { Market, SolanaNetwork, Token } from './network.ts';
import type { UnsignedSolana } from './parse.ts';
import type { ResolvedMessage, Tables } from './resolve.ts';
import type { Step } from './step.ts';

/** The user's request. Only `fees` comes from the service's answer. Amounts are decimal texts of the asset. */
export type RequestedOperation = {
  readonly kind: 'deposit' | 'withdraw' | 'rebalance';
  readonly wallet: string;
  /** Symbol or mint of the token. */
  readonly asset: string;
  readonly amount: string;
  /** The provider that pays out, for a withdrawal or rebalance. */
  readonly providerOut?: string | undefined;
  /** The provider that takes the deposit, for a deposit or rebalance. */
  readonly providerIn?: string | undefined;
  /** The fees in the answer (document: charged_platform_fee_amount, charged_whitelabel_fee_amount). */
  readonly fees?: readonly string[] | undefined;
  /** The answer with the fees is not available: fees in the bytes pass up to the usual part of the amount. */
  readonly areFeesUnstated?: true;
};

/** The user's override options. */
export type SolanaOverrides = SharedOverrides & { readonly allowPrograms?: readonly string[] | undefined };

/** Facts from a node, where there is one. */
export type NodeFacts = {
  readonly tables?: Tables | undefined;
  /** Every account that the transaction may change, before it runs. */
  readonly held?: readonly HeldAccount[] | undefined;
  readonly simulation?: Simulation | undefined;
};

/** An account and its state; `undefined` if it does not exist. */
export type HeldAccount = { readonly address: string; readonly state: AccountState | undefined };

/** The request in units of a known token. */
export type RequestedUnits = {
  readonly operation: RequestedOperation;
  readonly token: Token;
  readonly amount: bigint;
  /** Each stated fee. */
  readonly fees: readonly bigint[];
  readonly out: Market | undefined;
  readonly into: Market | undefined;
};

/** All stated fees together. */
export const totalFees = ({ fees }: RequestedUnits): bigint => fees.reduce((sum, fee) => sum + fee, 0n);

/** The input of a review. `unsigned`, and the fees in `requested`, come from the service. */
export type SolanaReviewInput = SharedReviewInput & {
  readonly unsigned: UnsignedSolana;
  readonly network: SolanaNetwork;
  readonly requested?: RequestedOperation | undefined;
  /** The wallet that the user states, if other facts of the request are not stated. */
  readonly wallet?: string | undefined;
  readonly overrides?: SolanaOverrides | undefined;
  readonly facts?: NodeFacts | undefined;
  /** What leaves by the same bytes, as an earlier review recorded it. */
  readonly recorded?: readonly Outflow[] | undefined;
};

/** The input of every check: that of the review, and what follows from it. */
export type Context = SolanaReviewInput & {
  readonly resolved: ResolvedMessage;
  readonly steps: readonly Step[];
  /** The fee payer, whose money the review is about. */
  readonly wallet: string;
  /** The wallet that the user states. */
  readonly statedWallet: string | undefined;
  /** `undefined` without a request, or if its token is not known. */
  readonly requestedUnits: RequestedUnits | undefined;
  readonly flows: readonly Flow[];
  /** Whether a program that bursar cannot decode acts with the wallet's signature. */
  readonly isOpaque: boolean;
  readonly simulation: Simulation | undefined;
  readonly held: readonly HeldAccount[] | undefined;
  readonly isProgramAllowed: (program: string) => boolean;
  /** Whether a policy lists the account among its recipients. */
  readonly isPinned: (account: string) => boolean;
  /** The holder of a token account, or of an address that gets coin; `undefined` if it is not known. */
  readonly holderOf: (account: string, mint: string | undefined, program: string | undefined) => Holder | undefined;
};

/** The holder of a token account or of an address that gets coin. `is` shows how bursar knows it. */
export type Holder = {
  readonly address: string;
  readonly is: 'wallet' | 'vault' | 'fees' | 'allowed' | 'named';
  /** A name such as "the vault of provider_a". */
  readonly name: string;
};
