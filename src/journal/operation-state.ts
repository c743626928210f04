import type { Entry, PixFacts } from './entry.ts';
import type { Statement } from './statement.ts';
import type { Position } from './yield-entry.ts';

/**
 * Whether signed bytes may have reached the chain.
 * - `no`: they never left this machine, or a node has shown that they can never land.
 * - `maybe`: a call with them was begun. No answer of the service takes that back, a refusal neither: they are live.
 * - `yes`: they were taken, and have landed or will.
 */
export type Sent = 'no' | 'maybe' | 'yes';

/** Signed bytes of a movement and the hash by which the chain knows them. `part` counts from 1. */
export type SignedPart = {
  readonly part: number;
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
  readonly sent: Sent;
  /** Each call with them was answered, by a refusal. They are live all the same. */
  readonly isRefused: boolean;
  /** What was known before the call with them that has begun and not ended; `undefined` where none is under way. */
  readonly before: { readonly sent: Sent; readonly isRefused: boolean } | undefined;
  /** Shown to be unable to land any more without having landed, or to have paid for another operation. */
  readonly isDead: boolean;
};

/** Whether signed bytes may have reached the chain, or have. */
export const mayBeSent = ({ sent }: SignedPart): boolean => sent !== 'no';

/** Why the last call of a movement, or its review, ended it. */
export type Stop = { readonly code: string; readonly status: string | undefined; readonly is_unknown: boolean };

/** The last step of a movement that counts; `failed` and `refused` stand beside it. */
export type Stage = Exclude<Entry['step'], 'failed' | 'refused' | 'dead' | 'stated' | 'contradicted'>;

/** What the entries of a movement come to. */
export type OperationState = {
  readonly id: string;
  readonly begun_at: string;
  /** When its last entry was made. */
  readonly last_at: string;
  readonly begun: Extract<Entry, { step: 'begun' }>;
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
  /** Unsigned transactions of a yield operation, and what its wallet had before. */
  readonly built: { readonly transactions: readonly string[]; readonly positions: readonly Position[] } | undefined;
  /** The newest of each part last. */
  readonly signed: readonly SignedPart[];
  /** The final state that the service showed; of a yield operation `settled` or `set_aside`. */
  readonly status: string | undefined;
  /** The hash that the service showed at the end. */
  readonly tid_hash: string | undefined;
};

/** The hash of the newest bytes of a movement that may have reached the chain; `undefined` where there are none. */
export const hashSent = ({ signed }: Pick<OperationState, 'signed'>): string | undefined =>
  signed.findLast(mayBeSent)?.hash;
