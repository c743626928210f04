import type { AccountState, Simulation } from './accounts.ts';
import type { Flow } from './flows.ts';
import type { Market, SolanaNetwork, Token } from './network.ts';
import type { UnsignedSolana } from './parse.ts';
import type { ResolvedMessage, Tables } from './resolve.ts';
import type { Step } from './step.ts';

/** What was asked of the service. Only `fees` comes from its answer. Amounts are decimal texts of the asset. */
export type RequestedOperation = {
  readonly kind: 'deposit' | 'withdraw' | 'rebalance';
  readonly wallet: string;
  /** Symbol or mint of the token. */
  readonly asset: string;
  readonly amount: string;
  /** Who pays out: of a withdrawal and a rebalance. */
  readonly providerOut?: string | undefined;
  /** Who takes in: of a deposit and a rebalance. */
  readonly providerIn?: string | undefined;
  /** The fees that the answer states (document: charged_platform_fee_amount, charged_whitelabel_fee_amount). */
  readonly fees?: readonly string[] | undefined;
  /** The answer that stated fees is not at hand: those in the bytes pass up to the usual part of the amount. */
  readonly areFeesUnstated?: true;
};

/** The user's word, given in advance. None of it overrides a contradiction. */
export type SolanaOverrides = {
  readonly allowPrograms?: readonly string[] | undefined;
  /** Addresses of owners or token accounts that may receive. */
  readonly allowRecipients?: readonly string[] | undefined;
  /** The most that the fee may cost without rent, as decimal text of SOL. It replaces the usual maximum. */
  readonly feeAtMost?: string | undefined;
};

/** What is known from a node, where one was asked. */
export type NodeFacts = {
  readonly tables?: Tables | undefined;
  /** Every account that the transaction may change, as it is before. */
  readonly held?: readonly HeldAccount[] | undefined;
  readonly simulation?: Simulation | undefined;
};

/** An account as it is; `undefined` where there is none. */
export type HeldAccount = { readonly address: string; readonly state: AccountState | undefined };

/** What was asked, in units of a token that is known. */
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

/** Everything that a check may look at. */
export type Context = {
  readonly unsigned: UnsignedSolana;
  readonly resolved: ResolvedMessage;
  readonly steps: readonly Step[];
  readonly network: SolanaNetwork;
  /** Whose money it is about: the fee payer. */
  readonly wallet: string;
  readonly signer: string | undefined;
  /** The wallet that the user states. */
  readonly statedWallet: string | undefined;
  readonly requested: RequestedOperation | undefined;
  /** Left out where nothing was asked, or what was asked cannot be compared. */
  readonly requestedUnits: RequestedUnits | undefined;
  readonly flows: readonly Flow[];
  /** Whether a program that is not understood acts with the wallet's signature. */
  readonly isOpaque: boolean;
  readonly simulation: Simulation | undefined;
  readonly held: readonly HeldAccount[] | undefined;
  /** The user's own name for the wallet. */
  readonly payerName: string | undefined;
  /** The most that the user lets the fee cost, in lamports; `undefined` where nothing was stated. */
  readonly feeCap: bigint | undefined;
  readonly isProgramAllowed: (program: string) => boolean;
  /** Whether a policy names the account among the recipients. */
  readonly isPinned: (account: string) => boolean;
  /** Who holds a token account of a mint and its program, or is paid coin, where that follows from what is known. */
  readonly holderOf: (account: string, mint: string | undefined, program: string | undefined) => Holder | undefined;
};

/** Who holds a token account or is paid coin, and why that is known. */
export type Holder = {
  readonly address: string;
  readonly is: 'wallet' | 'vault' | 'fees' | 'allowed' | 'named';
  /** In words, such as "the vault of provider_a". */
  readonly name: string;
};
