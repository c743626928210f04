import type { Kind } from '../contract/chains.ts';
import type { Intent } from './intents.ts';
import type { FactName, Statement } from './statement.ts';

/** The code of a Pix and its expiry (ISO 8601). */
export type PixFacts = {
  readonly code: string;
  readonly txid: string;
  readonly amount: string | null;
  readonly expires_at: string;
};

/** The amount that leaves a wallet in one token. `token` is a symbol, or the address of an unknown token. */
export type MovedAmount = { readonly token: string; readonly amount: string; readonly address?: string | undefined };

/** The position of a wallet with a provider; `undefined` if it could not be read. */
export type Position = { readonly provider: string; readonly position: string | undefined };

/** The unsigned transactions of a yield operation, and the wallet's positions before it. */
export type BuiltTransactions = { readonly transactions: readonly string[]; readonly positions: readonly Position[] };

/** The payment id of an event; yield operations have none. */
type OfPayment = { readonly payment_id?: string | undefined };

/** A signed transaction, identified by its hash. `part` counts the transactions of an operation from 1. */
type Transaction = OfPayment & { readonly part: number; readonly hash: string };

/** Why a call failed, with or without signed bytes. */
export type FailedCall = {
  readonly code: string;
  readonly status: string | undefined;
  /** The call may have taken effect. */
  readonly is_unknown: boolean;
  /** Only for a call with signed bytes. */
  readonly hash?: string | undefined;
  /** The call failed before its first byte was sent. After any other failure the bytes can still land. */
  readonly unsent?: true | undefined;
};

/**
 * One step of a payment, charge or yield operation. `registering`, `creating` and `sending` are written before the
 * first byte of their call. The next event has the outcome. If one of them is the last event, the call may have
 * reached the service.
 */
export type OperationEvent =
  | {
      readonly step: 'started';
      readonly profile: string;
      readonly kind: Kind;
      readonly base_url: string;
      readonly intent: Intent;
      /** The user's idempotency key. The same key refers to the same operation. */
      readonly intent_key?: string | undefined;
      /** Set if the payment existed before the operation. */
      readonly payment_id?: string | undefined;
      /** A fingerprint of the API key, which does not reveal it. The oldest entries have none. */
      readonly asker?: string | undefined;
      /** The user's statement at the start. */
      readonly stated: Statement;
      /** Keyed hashes of values that are no part of the intent, by their fields. Rows of a file have them. */
      readonly others?: Readonly<Record<string, string>> | undefined;
    }
  /** What the user stated later: with options of a resume, a confirmation, or a policy of the key. */
  | { readonly step: 'stated'; readonly stated: Statement }
  | { readonly step: 'registering' }
  /** `same_as`: the operation that had this payment id before, with equal facts. */
  | { readonly step: 'registered'; readonly payment_id: string; readonly same_as?: string | undefined }
  /**
   * The service returned a payment id that another operation has with other facts. No registration of this id counts.
   */
  | {
      readonly step: 'contradicted';
      readonly payment_id: string;
      readonly by: string;
      readonly fields: readonly FactName[];
    }
  | ({ readonly step: 'creating' } & OfPayment)
  /** `crypto_tx` is set for crypto payments, not for charges; `built` for yield operations. */
  | ({
      readonly step: 'created';
      readonly crypto_tx?: unknown;
      readonly built?: BuiltTransactions;
      /** The hosted payment page. Its token allows only to see and pay this payment. */
      readonly page?: string | undefined;
    } & OfPayment)
  /** A Pix code that passed its check. It is written before it is shown. */
  | ({ readonly step: 'payable'; readonly payment_id: string } & PixFacts)
  /** The Pix code was above the user's limit and was not shown. Another can be created. */
  | { readonly step: 'withheld'; readonly payment_id: string }
  | {
      readonly step: 'reviewed';
      readonly verdict: string;
      readonly digest: string;
      readonly allowed: readonly string[];
      /** The outflows that count against daily limits. */
      readonly moves: readonly MovedAmount[];
      /** The signer and the kind of chain, for the limits of a key. */
      readonly from?: string | undefined;
      readonly kind?: Kind | undefined;
    }
  /** The review or the user refused; nothing was signed. Only payments have an id. */
  | ({
      readonly step: 'refused';
      readonly message: string;
      readonly checks: readonly { readonly field: string; readonly message: string }[];
    } & OfPayment)
  /** The signed bytes make a resend safe: the same bytes cannot pay twice. */
  | ({ readonly step: 'signed'; readonly signed_transaction: string; readonly from: string } & Transaction)
  | ({ readonly step: 'sending'; readonly via: 'service' | 'node' } & Transaction)
  | { readonly step: 'executed'; readonly payment_id: string; readonly status: string; readonly hash: string }
  | { readonly step: 'landed'; readonly part: number; readonly hash: string }
  /** A transaction that can never land. A new one is built in its place. */
  | { readonly step: 'dead'; readonly hash: string }
  | ({ readonly step: 'failed' } & FailedCall)
  /**
   * The final state that the service returned. Written after the output, when the operation is closed. `shown_by`: a node
   * of the user has its receipt.
   */
  | {
      readonly step: 'ended';
      readonly payment_id: string;
      readonly status: string;
      readonly tid_hash: string | undefined;
      readonly shown_by?: 'node' | undefined;
    }
  /**
   * Another operation replaced this one, or the user closed it after a check. It blocks nothing and is not resumed.
   * `hash` is missing if nothing was sent.
   */
  | { readonly step: 'superseded'; readonly hash: string | undefined }
  /** The result of a yield operation. Written after the output. Without it, the next identical run reports it. */
  | { readonly step: 'settled'; readonly positions: readonly Position[] };

/** An event with its time of writing (ISO 8601). */
export type RecordedEvent = OperationEvent & { readonly at: string };

/** The record of a review. */
export type ReviewEvent = Extract<RecordedEvent, { readonly step: 'reviewed' }>;

/** Version 0.1 records neither the bytes nor the service's response for a call. */
const isOldWithoutStatus = ({ status, is_unknown, hash }: FailedCall): boolean =>
  hash === undefined && (status ?? undefined) === undefined && !is_unknown;

/**
 * Whether a call with signed bytes failed before its first byte left this machine. A service response with a status
 * never proves that. Lines without `unsent` are from version 0.1: there, a certain `unavailable` without a status is
 * such a failure.
 */
export const neverLeft = (call: FailedCall): boolean =>
  call.unsent ?? (call.code === 'unavailable' && isOldWithoutStatus(call));

/** Version 0.1 wrote only this when the user's node showed that a broadcast transaction failed on the chain. */
export const failedOnChain = (call: FailedCall): boolean => call.code === 'payment_failed' && isOldWithoutStatus(call);
