import type { Kind } from '../contract/chains.ts';
import type { Intent } from './intents.ts';
import type { FactName, Statement } from './statement.ts';

/** What a payer pays a Pix with, and until when (ISO 8601). */
export type PixFacts = {
  readonly code: string;
  readonly txid: string;
  readonly amount: string | null;
  readonly expires_at: string;
};

/** What leaves a wallet in one token: `token` is a symbol, or the address of one that is not known. */
export type Moved = { readonly token: string; readonly amount: string; readonly address?: string | undefined };

/** What a wallet has with a provider; no position where it could not be read. */
export type Position = { readonly provider: string; readonly position: string | undefined };

/** Unsigned transactions of a yield operation, and what its wallet had before. */
export type Built = { readonly transactions: readonly string[]; readonly positions: readonly Position[] };

/** The payment that an event is of; a yield operation has none. */
type OfPayment = { readonly payment_id?: string | undefined };

/** What is signed is known by its hash. `part` counts the transactions of an operation from 1. */
type Transaction = OfPayment & { readonly part: number; readonly hash: string };

/** Whether the user's statement, the service or a node stopped a call with signed bytes, or another call. */
export type FailedCall = {
  readonly code: string;
  readonly status: string | undefined;
  /** It may have had its effect all the same. */
  readonly is_unknown: boolean;
  /** Of a call with signed bytes. */
  readonly hash?: string | undefined;
  /** It failed before its first byte left. Any other failure leaves the bytes live. */
  readonly unsent?: true | undefined;
};

/**
 * One step of an operation: payments, charges and yield operations share them. An event that precedes a call
 * (`registering`, `creating`, `sending`) is on the disk before the call's first byte leaves, and the next one has its
 * outcome. A journal that ends in one of them says: this call may or may not have reached the service.
 */
export type OperationEvent =
  | {
      readonly step: 'started';
      readonly profile: string;
      readonly kind: Kind;
      readonly base_url: string;
      readonly intent: Intent;
      /** The user's own name for the operation: whoever gives it again means this one. */
      readonly intent_key?: string | undefined;
      /** Of an operation for a payment that was there before it. */
      readonly payment_id?: string | undefined;
      /** Stands for the API key, of which nothing can be learned from it. The first entries have none. */
      readonly asker?: string | undefined;
      /** What the user stated before it began. */
      readonly stated: Statement;
    }
  /** What the user stated later: by options of a resume, by a yes, or by a policy of the key. */
  | { readonly step: 'stated'; readonly stated: Statement }
  | { readonly step: 'registering' }
  /** `same_as`: the operation that had this payment id before, with equal facts. */
  | { readonly step: 'registered'; readonly payment_id: string; readonly same_as?: string | undefined }
  /** The service gave a payment id that another operation has with other facts: no registration of it counts. */
  | {
      readonly step: 'contradicted';
      readonly payment_id: string;
      readonly by: string;
      readonly fields: readonly FactName[];
    }
  | ({ readonly step: 'creating' } & OfPayment)
  /** Of a payment the transaction, which a charge has not; of a yield operation all that was built. */
  | ({ readonly step: 'created'; readonly crypto_tx?: unknown; readonly built?: Built } & OfPayment)
  /** The code of a Pix that passed its check. It is on the disk before anybody is shown it. */
  | ({ readonly step: 'payable'; readonly payment_id: string } & PixFacts)
  /** The code of a Pix was above the user's bound, and nobody was shown it: another can be made. */
  | { readonly step: 'withheld'; readonly payment_id: string }
  | {
      readonly step: 'reviewed';
      readonly verdict: string;
      readonly digest: string;
      readonly allowed: readonly string[];
      /** What leaves by it, for the limits of a day. */
      readonly moves: readonly Moved[];
      /** Who signs, and whether on a real chain, for the limits of a key. */
      readonly from?: string | undefined;
      readonly kind?: Kind | undefined;
    }
  /** The review said no, or the user did. Nothing was signed by it. Of an operation that is no payment there is no id. */
  | ({
      readonly step: 'refused';
      readonly message: string;
      readonly checks: readonly { readonly field: string; readonly message: string }[];
    } & OfPayment)
  /** The signed bytes are what makes a resend safe: the same bytes cannot pay twice. */
  | ({ readonly step: 'signed'; readonly signed_transaction: string; readonly from: string } & Transaction)
  | ({ readonly step: 'sending'; readonly via: 'service' | 'node' } & Transaction)
  | { readonly step: 'executed'; readonly payment_id: string; readonly status: string; readonly hash: string }
  | { readonly step: 'landed'; readonly part: number; readonly hash: string }
  /** A transaction that can never land any more; what follows is built anew. */
  | { readonly step: 'dead'; readonly hash: string }
  | ({ readonly step: 'failed' } & FailedCall)
  /** The final state that the service showed. */
  | {
      readonly step: 'ended';
      readonly payment_id: string;
      readonly status: string;
      readonly tid_hash: string | undefined;
    }
  /**
   * Another operation took its place, or the user has looked: it stops nothing any more, and is not resumed. There is
   * no hash where nothing was sent.
   */
  | { readonly step: 'superseded'; readonly hash: string | undefined }
  /** Written after the result of a yield operation was printed. Without it, the next identical run reports it. */
  | { readonly step: 'settled'; readonly positions: readonly Position[] };

/** An event with the time it was written at, in ISO 8601. */
export type RecordedEvent = OperationEvent & { readonly at: string };

/** The record of a review. */
export type ReviewEvent = Extract<RecordedEvent, { readonly step: 'reviewed' }>;

/** Lines of version 0.1 about a call name neither its bytes nor an answer of the service. */
const isOldWithoutStatus = ({ status, is_unknown, hash }: FailedCall): boolean =>
  hash === undefined && (status ?? undefined) === undefined && !is_unknown;

/**
 * Whether a call with signed bytes failed before its first byte left this machine. That is a fact about the
 * connection; an answer of the service, which has a status, never shows it. Lines without the field `unsent` are of
 * version 0.1: a certain `unavailable` without a status was a fault before sending there, and nothing else was.
 */
export const neverLeft = (call: FailedCall): boolean =>
  call.unsent ?? (call.code === 'unavailable' && isOldWithoutStatus(call));

/** Version 0.1 wrote no more than this where the user's own node had shown that a broadcast transaction failed on the chain. */
export const failedOnChain = (call: FailedCall): boolean => call.code === 'payment_failed' && isOldWithoutStatus(call);
