import type { SolanaOverrides } from '../../chain/solana/context.ts';
import type { SolanaNetwork } from '../../chain/solana/network.ts';
import type { SolanaReview } from '../../chain/solana/review.ts';
import type { Client } from '../../client/call.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import type { Position } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';
import type { PolicyGate } from '../policy/gate.ts';

/** A Solana key that can be used until it is wiped: the seed of its pair. */
export type UnlockedSeed = { readonly privateKey: Uint8Array; readonly address: string };

/** What happened, for whoever shows it. `took` is in milliseconds. */
export type YieldEvent =
  | { readonly kind: 'built'; readonly count: number; readonly took: number }
  | { readonly kind: 'reviewed'; readonly review: SolanaReview }
  | { readonly kind: 'signed'; readonly hash: string }
  | { readonly kind: 'landed'; readonly hash: string; readonly took: number }
  | { readonly kind: 'expired'; readonly hash: string }
  /** A transaction of an earlier operation that did nothing and never will. */
  | { readonly kind: 'earlier_dead'; readonly hash: string }
  | { readonly kind: 'positions'; readonly positions: readonly Position[] };

/** What a review needs of the world. */
export type Reviewing = {
  readonly network: SolanaNetwork;
  readonly overrides: SolanaOverrides;
  /** The user's own node: it sends where it is given. */
  readonly node: SolanaNode | undefined;
  /** A node that shows the review what would happen, and what became of bytes: the user's own, or the sandbox's. */
  readonly witness?: SolanaNode | undefined;
  /** The user's own name for an address. */
  readonly nameOf?: ((address: string) => Promise<string | undefined>) | undefined;
  /** What the profile lets be signed. */
  readonly gate?: PolicyGate | undefined;
  /** Whether the user confirms each question of this command in advance. */
  readonly isConfirmed?: boolean | undefined;
  /** The user's answer to the reviews of an operation; `false` refuses. */
  readonly approve: (reviews: readonly SolanaReview[]) => Promise<boolean>;
  readonly on: (event: YieldEvent) => void | Promise<void>;
};

/** What signing works with. */
export type SigningContext = Reviewing & { readonly client: Client };

/** What moving money works with: each step is in the journal before it is made. */
export type MovingContext = SigningContext & {
  readonly operation: Operation;
  /** Two transactions go by two calls of the service, the second when the first has landed. */
  readonly oneByOne?: boolean | undefined;
};
