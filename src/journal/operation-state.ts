import type { Kind } from '../contract/chains.ts';
import type { Built, Moved, OperationEvent, PixFacts, Position } from './event.ts';
import type { Statement } from './statement.ts';

/**
 * Whether signed bytes may have reached the chain.
 * - `no`: they never left this machine, or a node has shown that they can never land.
 * - `maybe`: a call with them was begun. No answer of the service takes that back, a refusal neither: they are live.
 * - `yes`: they were taken, and have landed or will.
 */
export type Sent = 'no' | 'maybe' | 'yes';

/** Signed bytes of an operation and the hash by which the chain knows them. `part` counts from 1. */
export type SignedPart = {
  readonly part: number;
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
  readonly sent: Sent;
  /** When they were signed, and last about to be sent, in milliseconds since 1970. */
  readonly signedAt: number;
  readonly sendingAt: number | undefined;
  /** They may have been sent before the last call too: that the last one never left says nothing of an earlier one. */
  readonly isRepeated: boolean;
  /** Each call with them was answered, by a refusal. They are live all the same. */
  readonly isRefused: boolean;
  /** What was known before the call with them that has begun and not ended; `undefined` where none is under way. */
  readonly before: { readonly sent: Sent; readonly isRefused: boolean } | undefined;
  /** Shown to be unable to land any more without having landed, or to have paid for another operation. */
  readonly isDead: boolean;
};

/** Whether signed bytes may have reached the chain, or have. */
export const mayBeSent = ({ sent }: SignedPart): boolean => sent !== 'no';

/**
 * A transaction that passed its review, for the limits of a day, and how far it came:
 * - `reviewed`, `signed`, `sending`: the last that is known.
 * - `gone`: it may have been sent, whatever came after.
 * - `taken`: it was, and the same bytes cannot go again.
 * - `freed`: it has not left this machine so far. The same bytes may be sent again, and then they count.
 */
export type ReviewedTransaction = {
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly moves: readonly Moved[];
  /** Who signs, and whether on a real chain. */
  readonly from: string;
  readonly kind: Kind;
  readonly state: 'reviewed' | 'signed' | 'sending' | 'gone' | 'taken' | 'freed';
  /** Of what is signed. */
  readonly hash?: string;
  readonly signed_transaction?: string;
};

/** Why the last call of an operation, or its review, ended it. */
export type Stop = { readonly code: string; readonly status: string | undefined; readonly is_unknown: boolean };

/** The last step of an operation that counts; `failed` and `refused` stand beside it. */
export type Stage = Exclude<OperationEvent['step'], 'failed' | 'refused' | 'dead' | 'stated' | 'contradicted'>;

/**
 * How an operation ended: the final state of a payment that the service showed; `settled` of a yield operation;
 * `superseded` of any. Another final state of a service is passed on as it is.
 */
export type EndStatus = 'success' | 'error' | 'expired' | 'settled' | 'superseded';

/** What the events of an operation come to: the one state of payments, charges and yield operations. */
export type OperationState = {
  readonly id: string;
  readonly started_at: string;
  /** When its last event was recorded. */
  readonly last_at: string;
  readonly started: Extract<OperationEvent, { step: 'started' }>;
  readonly stage: Stage;
  readonly stop: Stop | undefined;
  /** What the user stated of it so far. */
  readonly stated: Statement;
  /** Its payment id is that of another operation with other facts. */
  readonly isContradicted: boolean;
  readonly payment_id: string | undefined;
  readonly crypto_tx: unknown;
  /** The Pix that its payer was shown. */
  readonly pix: PixFacts | undefined;
  /** A sending of its card before the last one is in doubt: that one's certain failure says nothing of it. */
  readonly isCardInDoubt: boolean;
  /** Unsigned transactions of a yield operation, and what its wallet had before they were built. */
  readonly built: Built | undefined;
  /** What the wallet had before the first building that could read it. */
  readonly positionsAtStart: readonly Position[];
  /** The newest of each part last. */
  readonly signed: readonly SignedPart[];
  /** What passed its review, and is not known to be given up. */
  readonly reviewed: readonly ReviewedTransaction[];
  readonly status: EndStatus | undefined;
  /** The hash that the service showed at the end. */
  readonly tid_hash: string | undefined;
};

/** The hash of the newest bytes of an operation that may have reached the chain; `undefined` where there are none. */
export const hashSent = ({ signed }: Pick<OperationState, 'signed'>): string | undefined =>
  signed.findLast(mayBeSent)?.hash;
