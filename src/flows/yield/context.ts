import type { SolanaOverrides } from '../../chain/solana/context.ts';
import type { SolanaNetwork } from '../../chain/solana/network.ts';
import type { SolanaReview } from '../../chain/solana/review.ts';
import type { Client } from '../../client/call.ts';
import type { SolanaNode } from '../../client/solana-rpc.ts';
import { SOLANA } from '../../contract/chains.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import type { Position } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';
import type { PolicyGate } from '../policy/gate.ts';
import { withTurn } from '../turn.ts';

/** A step for display. `took` is in milliseconds. */
export type YieldEvent =
  | { readonly kind: 'built'; readonly count: number; readonly took: number }
  | { readonly kind: 'reviewed'; readonly review: SolanaReview }
  | { readonly kind: 'signed'; readonly hash: string }
  /** The same bytes are sent again. */
  | { readonly kind: 'sends_again'; readonly hash: string }
  | { readonly kind: 'landed'; readonly hash: string; readonly took: number }
  | { readonly kind: 'expired'; readonly hash: string }
  /** A transaction of an earlier operation that had no effect and never will. */
  | { readonly kind: 'earlier_dead'; readonly hash: string }
  /** An earlier operation that sent nothing: the new one takes its place. */
  | { readonly kind: 'set_aside'; readonly operationId: string }
  | { readonly kind: 'positions'; readonly positions: readonly Position[] };

/** The dependencies of a review. */
export type YieldReviewContext = {
  readonly network: SolanaNetwork;
  readonly overrides: SolanaOverrides;
  /** The user's node; if set, it sends the transactions. */
  readonly node: SolanaNode | undefined;
  /** The user's or the sandbox's node: it simulates, and it shows outcomes. */
  readonly witness?: SolanaNode | undefined;
  /** The user's own name for an address. */
  readonly nameOf?: ((address: string) => Promise<string | undefined>) | undefined;
  /** The policy gate for signatures. */
  readonly gate?: PolicyGate | undefined;
  /** Whether the user confirms each question of this command in advance. */
  readonly isConfirmed?: boolean | undefined;
  /** The user's answer to the reviews of an operation; `false` refuses. */
  readonly approve: (reviews: readonly SolanaReview[]) => Promise<boolean>;
  readonly on: (event: YieldEvent) => void | Promise<void>;
};

/** The context of signing. */
export type SigningContext = YieldReviewContext & { readonly client: Client };

/** The context of a transfer: each step is recorded before it is done. */
export type MovingContext = SigningContext & {
  readonly operation: Operation;
  /** Two transactions are sent by two calls, the second after the first has landed. */
  readonly oneByOne?: boolean | undefined;
};

type Held = SigningContext & Partial<Pick<MovingContext, 'operation'>> & { readonly next?: NextStep };

/**
 * Builds, signs and sends while no other operation of the wallet runs; waiting for the user does not block others.
 * `next` is the command if the turn does not come; by default the resume.
 */
export const inTurn = <C extends Held, T>(context: C, address: string, work: (held: C) => Promise<T>): Promise<T> => {
  const { client, operation, approve, isConfirmed = false } = context;
  const resume = operation && nextStep('yield.resume.turn', operation.id, isConfirmed);
  const next = context.next ?? resume ?? nextStep('operation.list.open', 'yield');
  const wallet = { kind: client.service.kind, chain: SOLANA, address };
  return withTurn({ client, wallet, next }, ({ whileAsking }) =>
    work({ ...context, approve: (reviews) => whileAsking(() => approve(reviews)) }),
  );
};
