import type { Kind } from '../contract/chains.ts';
import type { BuiltTransactions, FailedCall, MovedAmount, OperationEvent, PixFacts, Position } from './event.ts';
import type { Statement } from './statement.ts';

/**
 * Whether signed bytes may have reached the chain.
 * - `no`: they never left this machine, or a node has shown that they can never land.
 * - `maybe`: a call with them started. No response of the service, not even a refusal, proves that they cannot land.
 * - `yes`: the service or a node accepted them; they have landed or will land.
 */
export type Sent = 'no' | 'maybe' | 'yes';

/** Signed bytes of an operation with their hash on the chain. `part` counts from 1. */
export type SignedPart = {
  readonly part: number;
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
  readonly sent: Sent;
  /** The times of signing and of the last send attempt, in milliseconds since 1970. */
  readonly signedAt: number;
  readonly sendingAt: number | undefined;
  /** An earlier call may have sent them, so a failure of the last call proves nothing. */
  readonly isRepeated: boolean;
  /** The service refused each call with them. They can still land. */
  readonly isRefused: boolean;
  /** The `sent` value before the current call; `undefined` if no call is running. */
  readonly before: { readonly sent: Sent; readonly isRefused: boolean } | undefined;
  /** Proven unable to land, or proven to have paid another operation. */
  readonly isDead: boolean;
};

/** Whether signed bytes may have reached the chain, or have. */
export const mayBeSent = ({ sent }: SignedPart): boolean => sent !== 'no';

/**
 * A reviewed transaction and its progress, for daily limits:
 * - `reviewed`, `signed`, `sending`: the last known step;
 * - `gone`: it may have been sent;
 * - `taken`: it was sent, and the same bytes cannot be sent again;
 * - `freed`: it has not left this machine. If it is sent later, it counts.
 */
export type ReviewedTransaction = {
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly moves: readonly MovedAmount[];
  /** The signer and the kind of chain. */
  readonly from: string;
  readonly kind: Kind;
  readonly state: 'reviewed' | 'signed' | 'sending' | 'gone' | 'taken' | 'freed';
  /**
   * Set while a call with it has no result. Its process may be stopped, so the money can leave at any time. Before the
   * call it counted at `countedAt`.
   */
  readonly leaving?: { readonly countedAt: number };
  /** Set once it is signed. */
  readonly hash?: string;
  readonly signed_transaction?: string;
};

/** Why the last call or the review ended the operation. */
export type Stop = Pick<FailedCall, 'code' | 'status' | 'is_unknown'>;

/** The last step of an operation; `failed` and `refused` are stored beside it. */
export type Stage = Exclude<OperationEvent['step'], 'failed' | 'refused' | 'dead' | 'stated' | 'contradicted'>;

/**
 * How an operation ended: the final state of a payment, `settled` for a yield operation, or `superseded`. Other final
 * states of the service are passed on unchanged.
 */
export type EndStatus = 'success' | 'error' | 'expired' | 'settled' | 'superseded';

/** The state that results from the events of a payment, charge or yield operation. */
export type OperationState = {
  readonly id: string;
  readonly started_at: string;
  /** When its last event was recorded. */
  readonly last_at: string;
  readonly started: Extract<OperationEvent, { step: 'started' }>;
  readonly stage: Stage;
  readonly stop: Stop | undefined;
  /** The user's statement so far. */
  readonly stated: Statement;
  /** Another operation has the same payment id with other facts. */
  readonly isContradicted: boolean;
  readonly payment_id: string | undefined;
  readonly crypto_tx: unknown;
  /** The Pix that was shown. */
  readonly pix: PixFacts | undefined;
  /** An earlier card request has an unknown outcome, so a certain failure of the last one proves nothing about it. */
  readonly isCardInDoubt: boolean;
  /** The unsigned transactions of a yield operation, and the wallet's positions before it. */
  readonly built: BuiltTransactions | undefined;
  /** The wallet's positions before the first build that could read them. */
  readonly positionsAtStart: readonly Position[];
  /** All signed parts; the newest of each part is last. */
  readonly signed: readonly SignedPart[];
  /** Reviewed transactions that may still be sent. */
  readonly reviewed: readonly ReviewedTransaction[];
  readonly status: EndStatus | undefined;
  /** The hash in the final state of the service. */
  readonly tid_hash: string | undefined;
  /** Whether a node of the user had the receipt of that transaction. */
  readonly isShownByNode: boolean;
};

/** The hash of the newest bytes that may have reached the chain; `undefined` if there are none. */
export const hashSent = ({ signed }: Pick<OperationState, 'signed'>): string | undefined =>
  signed.findLast(mayBeSent)?.hash;
