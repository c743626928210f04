import type { Client } from '../../client/call.ts';
import type { Failure } from '../../core/failure.ts';
import type { Verification } from './status.ts';

/** What happened, for whoever shows it. */
export type KycEvent =
  /** A verification that was there before. */
  | { readonly kind: 'found'; readonly verification: Verification }
  | { readonly kind: 'prepared'; readonly status: string }
  | { readonly kind: 'code_sent'; readonly email: string }
  | { readonly kind: 'email_proven'; readonly email: string }
  | { readonly kind: 'session'; readonly verification: Verification };

/** How a user is named to the service. */
export type KycUser = { readonly email?: string | undefined; readonly wallet?: string | undefined };

/** What a walk through KYC works with. */
export type KycContext = {
  readonly client: Client;
  /** Throws where nobody could answer with a code: then none is sent. */
  readonly assertCodeCanCome: () => void;
  /**
   * The code that the e-mail brought; `undefined` asks for another e-mail. `trouble` is what went wrong with the last
   * one. Throws where no other can come.
   */
  readonly nextCode: (email: string, trouble: Failure | undefined) => Promise<string | undefined>;
  /** Whether a code that was sent earlier will do, so that none is sent; none will where it is left out. */
  readonly hasCode?: ((email: string) => Promise<boolean>) | undefined;
  /** The user's answer to a verification that was declined: `true` begins another. */
  readonly beginAnother: (verification: Verification) => Promise<boolean>;
  readonly on: (event: KycEvent) => void | Promise<void>;
};
