import type { Client } from '../../client/call.ts';
import type { Failure } from '../../core/failure.ts';
import type { Verification } from './status.ts';

/** A step of the walk, for display. */
export type KycEvent =
  /** A verification that existed before the walk. */
  | { readonly kind: 'found'; readonly verification: Verification }
  | { readonly kind: 'prepared'; readonly status: string }
  | { readonly kind: 'code_sent'; readonly email: string }
  | { readonly kind: 'email_proven'; readonly email: string }
  | { readonly kind: 'session'; readonly verification: Verification };

/** How a user is named to the service. */
export type KycUser = { readonly email?: string | undefined; readonly wallet?: string | undefined };

/** The dependencies of `startKyc`. */
export type KycContext = {
  readonly client: Client;
  /** Throws before a code is sent, if there is no way to enter it. */
  readonly assertCodeAvailable: () => void;
  /**
   * Reads the code of the e-mail; `undefined` requests another e-mail. `rejection` is the failure of the last code.
   * Throws if there is no other code.
   */
  readonly nextCode: (email: string, rejection: Failure | undefined) => Promise<string | undefined>;
  /** Whether a code that was sent earlier can be used. If absent, a code is always sent. */
  readonly hasCode?: ((email: string) => Promise<boolean>) | undefined;
  /** Whether the user agrees to another session after a declined one. */
  readonly startAnother: (verification: Verification) => Promise<boolean>;
  readonly on: (event: KycEvent) => void | Promise<void>;
};
