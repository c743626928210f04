import type { Generated } from 'kysely';

/** What became of a webhook: `failed` was given up, `not_sent` goes where the sandbox may not send. */
export type EventState = 'pending' | 'delivered' | 'failed' | 'not_sent';

/** Tables of what follows from a payment. Times in `_ms` are the sandbox's milliseconds since 1970. */
export type MoneyTables = {
  readonly webhook_events: {
    seq: Generated<number>;
    payment_id: string;
    payment_status: string;
    url: string;
    payload: string;
    state: EventState;
    attempts: Generated<number>;
    created_at: string;
    next_ms: number;
    /** After this a failed delivery is not repeated. */
    until_ms: number;
    last_at: string | null;
    last_http: number | null;
    /** The beginning of the last answer, or why none came. */
    last_answer: string | null;
  };
  /** Each attempt to deliver a webhook, and the answer; without `http` none came, and `answer` says why. */
  readonly webhook_deliveries: {
    seq: Generated<number>;
    event_seq: number;
    at: string;
    http: number | null;
    answer: string;
  };
  readonly payouts: {
    payment_id: string;
    chain: string;
    token: string;
    /** Smallest units, before the split. */
    units: string;
    due_ms: number;
    attempts: Generated<number>;
    /** The treasury's signed transaction, saved before it is sent. */
    raw: string | null;
    is_done: Generated<number>;
  };
  /** A charge that waits for its payer or for the control: one a payment. */
  readonly charges: { payment_id: string; kind: 'pix' | 'card'; details: string; expires_ms: number | null };
};
