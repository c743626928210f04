import type { Overrides } from '../../chain/evm/context.ts';
import type { Network } from '../../chain/evm/network.ts';
import type { UsablePin } from '../../chain/evm/pins.ts';
import type { Review } from '../../chain/evm/review.ts';
import type { UnstatedFact } from '../../chain/review/stated-facts.ts';
import type { Client } from '../../client/call.ts';
import type { ChainNode } from '../../client/node.ts';
import type { Failure } from '../../core/failure.ts';
import type { PixFacts } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';
import type { FactName, Facts, Statement } from '../../journal/statement.ts';
import type { PolicyGate } from '../policy/gate.ts';
import type { Turn } from '../turn.ts';

/** A private key that can be used until it is wiped. */
export type OpenKey = { readonly privateKey: Uint8Array; readonly address: string };

/** What happened, for whoever shows it. `took` is in milliseconds. */
export type PayEvent =
  | { readonly kind: 'registered'; readonly payment_id: string; readonly took: number }
  | { readonly kind: 'created'; readonly payment_id: string; readonly took: number }
  | { readonly kind: 'charged'; readonly payment_id: string; readonly took: number }
  | { readonly kind: 'payable'; readonly payment_id: string; readonly pix: PixFacts; readonly receiver: string }
  | { readonly kind: 'reviewed'; readonly review: Review }
  | { readonly kind: 'signed'; readonly hash: string; readonly took: number }
  | { readonly kind: 'executed'; readonly status: string; readonly hash: string; readonly took: number }
  /** `isLost`: it was read because an answer left a doubt, and not to see where the payment stands. */
  | { readonly kind: 'read_back'; readonly status: string; readonly isLost: boolean }
  | { readonly kind: 'state'; readonly status: string };

/** Whose identity the service asks about, as the payment names them, and what it said. */
export type IdentityRequest = {
  readonly payment_id: string;
  readonly email: string | undefined;
  readonly wallet: string | undefined;
  readonly failure: Failure;
};

/** What the user states of a payment, against the facts that its transaction is reviewed by. */
export type StatedFacts = {
  readonly facts: Facts;
  readonly statement: Statement;
  /** The facts that nobody but the service states. */
  readonly uncovered: readonly FactName[];
  /** Whose word those are; the service's where it is left out. */
  readonly by?: UnstatedFact['by'];
};

/** What every step of a payment works with. */
export type PayContext = {
  readonly client: Client;
  readonly network: Network;
  readonly operation: Operation;
  readonly overrides: Overrides;
  readonly stating: StatedFacts;
  /**
   * A node of the payment's chain, where the user names one, and the sandbox's own: the review asks it before anything is
   * signed, and it shows whether money moved.
   */
  readonly node?: ChainNode | undefined;
  /** The user's own name for an address. */
  readonly nameOf?: ((address: string) => Promise<string | undefined>) | undefined;
  /** Calls that the profile pins. */
  readonly pins?: readonly UsablePin[] | undefined;
  /** What the profile lets be signed. */
  readonly gate?: PolicyGate | undefined;
  /** Whether the user confirms each question of this command in advance. */
  readonly isConfirmed?: boolean | undefined;
  /** The user's answer to a review; `false` refuses. */
  readonly approve: (review: Review) => Promise<boolean>;
  /** Whether the user at a terminal says yes to what could pay twice: no option stands for it. */
  readonly confirmDespiteDoubt?: ((question: string) => Promise<boolean>) | undefined;
  /** The turn of the wallet, while it is held. */
  readonly turn?: Turn | undefined;
  /** Has the payer verified where the service asks for it; `false` where nobody was. */
  readonly identify?: ((asked: IdentityRequest) => Promise<boolean>) | undefined;
  /** What the market makes of an amount in another asset; `undefined` where no quote tells. */
  readonly worthOf?: ((amount: string, from: string, to: string) => Promise<string | undefined>) | undefined;
  /** The most that a Pix may ask for, in reais, where the payment is in another currency. */
  readonly pixAtMost?: string | undefined;
  /** Asks the user about the amount of a Pix for a price in another currency; left out where nobody can be asked. */
  readonly confirmPixAmount?: ((sentence: string) => Promise<boolean>) | undefined;
  readonly on: (event: PayEvent) => void | Promise<void>;
};
