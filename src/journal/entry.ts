import type { Kind } from '../contract/chains.ts';
import type { Intent } from './intents.ts';
import type { FactName, Statement } from './statement.ts';
import type { YieldEntry } from './yield-entry.ts';

/** Version of the entries' shape. A reader refuses what is newer than itself. */
export const JOURNAL_VERSION = 2;

/** What a payer pays a Pix with, and until when (ISO 8601). */
export type PixFacts = {
  readonly code: string;
  readonly txid: string;
  readonly amount: string | null;
  readonly expires_at: string;
};

/** What leaves a wallet in one token: `token` is a symbol, or the address of one that is not known. */
export type Moved = { readonly token: string; readonly amount: string; readonly address?: string | undefined };

/**
 * One step of a movement of money. A step that precedes a call (`registering`, `creating`, `executing`) is
 * on the disk before the call's first byte leaves; its successor tells how the call ended. A journal that
 * ends in one of them says: this call may or may not have reached the service.
 */
export type Entry =
  | {
      readonly step: 'begun';
      readonly profile: string;
      readonly kind: Kind;
      readonly base_url: string;
      readonly intent: Intent;
      /** The user's own name for it, where there is one: whoever gives it again means this movement. */
      readonly intent_key?: string | undefined;
      /** Of a movement for a payment that was there before it. */
      readonly payment_id?: string | undefined;
      /** Stands for the API key, of which nothing can be learned from it. Entries before it have none. */
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
  | { readonly step: 'creating'; readonly payment_id: string }
  | { readonly step: 'created'; readonly payment_id: string; readonly crypto_tx: unknown }
  /** The code of a Pix that passed its check. It is on the disk before anybody is shown it. */
  | ({ readonly step: 'payable'; readonly payment_id: string } & PixFacts)
  /** The code of a Pix was above the user's bound, and nobody was shown it: another can be made. */
  | { readonly step: 'withheld'; readonly payment_id: string }
  | {
      readonly step: 'reviewed';
      readonly verdict: string;
      readonly digest: string;
      readonly allowed: readonly string[];
      /** What leaves by it, for the limits of a day. Entries of version 0.1 before them have none. */
      readonly moves: readonly Moved[];
      /** Who signs, and whether on a real chain, for the limits of a key. Entries of version 0.1 before them have neither. */
      readonly from?: string | undefined;
      readonly kind?: Kind | undefined;
    }
  /** The review said no, or the user did. Nothing was signed by it. Of an operation that is no payment there is no id. */
  | {
      readonly step: 'refused';
      readonly payment_id?: string | undefined;
      readonly message: string;
      readonly checks: readonly { readonly field: string; readonly message: string }[];
    }
  /** The signed bytes are what makes a resend safe: the same bytes cannot pay twice. */
  | {
      readonly step: 'signed';
      readonly payment_id: string;
      readonly signed_transaction: string;
      readonly hash: string;
      readonly from: string;
    }
  | { readonly step: 'executing'; readonly payment_id: string; readonly hash: string }
  | { readonly step: 'executed'; readonly payment_id: string; readonly status: string; readonly hash: string }
  /**
   * A call that failed: `is_unknown` when it may have had its effect all the same. Of a call with signed bytes it has
   * their hash, and `unsent` where it failed before its first byte left. Any other failure leaves the bytes live.
   */
  | {
      readonly step: 'failed';
      readonly code: string;
      readonly status: string | undefined;
      readonly is_unknown: boolean;
      readonly hash?: string | undefined;
      readonly unsent?: true | undefined;
    }
  | {
      readonly step: 'ended';
      readonly payment_id: string;
      readonly status: string;
      readonly tid_hash: string | undefined;
    }
  | YieldEntry;
