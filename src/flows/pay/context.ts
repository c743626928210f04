import type { Overrides } from '../../chain/evm/context.ts';
import type { Network } from '../../chain/evm/network.ts';
import type { UsablePin } from '../../chain/evm/pin.ts';
import type { Review } from '../../chain/evm/review.ts';
import type { UnstatedFact } from '../../chain/review/check.ts';
import type { Client } from '../../client/call.ts';
import type { ChainNode } from '../../client/node.ts';
import type { Failure } from '../../core/failure.ts';
import type { PixFacts } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';
import type { FactName, Facts, Statement } from '../../journal/statement.ts';
import type { PolicyGate } from '../policy/gate.ts';
import type { Turn, WalletQueue } from '../turn.ts';

/** A step for display. `took` is in milliseconds. */
export type PayEvent =
  | { readonly kind: 'registered'; readonly payment_id: string; readonly took: number }
  /** `page`: the hosted payment page. Its address carries a token, so only a terminal shows it. */
  | {
      readonly kind: 'created';
      readonly what: 'unsigned transaction' | 'charge';
      readonly payment_id: string;
      readonly took: number;
      readonly page: string | undefined;
    }
  | { readonly kind: 'payable'; readonly payment_id: string; readonly pix: PixFacts; readonly receiver: string }
  | { readonly kind: 'reviewed'; readonly review: Review }
  /** Another transaction is signed in its place. `used_by`: the transaction with its nonce, if it is known. */
  | {
      readonly kind: 'cannot_land';
      readonly hash: string;
      readonly why: 'nonce_used' | 'reverted' | 'paid_other';
      readonly nonce: number;
      readonly used_by: string | undefined;
    }
  | { readonly kind: 'signed'; readonly hash: string; readonly took: number }
  /** The same bytes are sent again. */
  | { readonly kind: 'sends_again'; readonly hash: string }
  | { readonly kind: 'executed'; readonly status: string; readonly hash: string; readonly took: number }
  /** `isLost`: the payment was read because a response left a doubt. */
  | { readonly kind: 'read_back'; readonly status: string; readonly isLost: boolean }
  | { readonly kind: 'state'; readonly status: string };

/** The payer whose identity the service requires, and the service's response. */
export type IdentityRequest = {
  readonly payment_id: string;
  readonly email: string | undefined;
  readonly wallet: string | undefined;
  readonly failure: Failure;
};

/** The user's statement about a payment, and the facts for the review of its transaction. */
export type StatedFacts = {
  readonly facts: Facts;
  readonly statement: Statement;
  /** Facts that only the service states. */
  readonly uncovered: readonly FactName[];
  /** The source of these facts; the service by default. */
  readonly by?: UnstatedFact['by'];
};

/** The context of every step of a payment. */
export type PayContext = {
  readonly client: Client;
  readonly network: Network;
  readonly operation: Operation;
  readonly overrides: Overrides;
  readonly stating: StatedFacts;
  /**
   * A node of the payment's chain: the user's or the sandbox's. The review simulates on it, and it shows whether money
   * moved.
   */
  readonly node?: ChainNode | undefined;
  /** The user's own name for an address. */
  readonly nameOf?: ((address: string) => Promise<string | undefined>) | undefined;
  /** Calls that the profile allows. */
  readonly pins?: readonly UsablePin[] | undefined;
  /** The policy gate for signatures. */
  readonly gate?: PolicyGate | undefined;
  /** Whether the user confirms each question of this command in advance. */
  readonly isConfirmed?: boolean | undefined;
  /** The user's answer to a review; `false` refuses. */
  readonly approve: (review: Review) => Promise<boolean>;
  /** Asks at a terminal whether to continue despite a possible double payment. No option replaces this. */
  readonly confirmDespiteDoubt?: ((question: string) => Promise<boolean>) | undefined;
  /** The queue of the wallet inside this process; missing if the process makes one operation. */
  readonly queue?: WalletQueue | undefined;
  /** The wallet's turn, while this operation has it. */
  readonly turn?: Turn | undefined;
  /** Verifies the payer's identity if the service requires it; `false` if it was not verified. */
  readonly identify?: ((asked: IdentityRequest) => Promise<boolean>) | undefined;
  /** The market value of an amount in another asset; `undefined` without a quote. */
  readonly worthOf?: ((amount: string, from: string, to: string) => Promise<string | undefined>) | undefined;
  /** The limit of a Pix in reais, if the price is in another currency. */
  readonly pixAtMost?: string | undefined;
  /** Asks the user to confirm the amount of a Pix for a price in another currency. Missing without a terminal. */
  readonly confirmPixAmount?: ((sentence: string) => Promise<boolean>) | undefined;
  readonly on: (event: PayEvent) => void | Promise<void>;
};
