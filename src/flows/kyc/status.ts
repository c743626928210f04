import * as z from 'zod';
import { type Client, call, dataAs, type Input } from '../../client/call.ts';
import { status } from '../../contract/kyc/status.ts';
import { Failure } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import { waitFor } from '../read-back.ts';

/** The fields of a verification that are used here; all others pass through. */
const verificationSchema = z.looseObject({
  status: z.string(),
  approved: z.boolean().optional(),
  session_id: z.string().nullish(),
  session_url: z.string().nullish(),
});

/** A verification as the service returns it. */
export type Verification = z.infer<typeof verificationSchema>;

/** The sandbox is on this machine: a wait for it reads at least this often, in milliseconds. */
const SANDBOX_PAUSE_MS = 800;

/** Final states. The document shows no complete list, so any other state may still change. */
const FINAL_STATES: readonly string[] = ['declined', 'expired'];

/**
 * The progress of a verification:
 * - `open`: a session waits for the user, and its address is known;
 * - `under_way`: a session exists, and the user has nothing to do;
 * - `none`: no known session.
 */
export type KycStatus = 'approved' | 'declined' | 'expired' | 'open' | 'under_way' | 'none';

/** The progress of a verification. */
export const kycStatusOf = ({ status: state, approved, session_id, session_url }: Verification): KycStatus => {
  if (approved ?? state === 'approved') return 'approved';
  if (state === 'declined' || state === 'expired') return state;
  if (session_url) return 'open';
  return session_id && state !== 'pending' ? 'under_way' : 'none';
};

/** Whether the service names a session of the user. Without one a wait has no end. */
export const hasSession = (verification: Verification): boolean =>
  Boolean(verification.session_id) || verification.status !== 'pending' || kycStatusOf(verification) !== 'none';

/** Reads the verification of a user. Throws `not_found` if there is none. */
export const readVerification = async (client: Client, user: Input): Promise<Verification> =>
  dataAs(verificationSchema, await call(client, status, user), 'the response has no state of the verification');

type WaitOptions = {
  /** The next command after `declined` or `expired`. */
  readonly afterEnd: NextStep;
  /** The next command when the time is over, and no session is open. */
  readonly start?: NextStep;
  /** The next command when the time is over. */
  readonly later: NextStep;
  /** The verification before the first read, if known. */
  readonly known?: Verification | undefined;
  readonly onState: (verification: Verification) => void | Promise<void>;
};

/**
 * Polls the verification of a user until it is approved. Throws `identity_gate` when it is declined or expired,
 * `not_final` at the deadline of the command.
 */
export const waitForApproval = (
  client: Client,
  user: Input,
  { afterEnd, later, start = later, known, onState }: WaitOptions,
): Promise<Verification> =>
  waitFor<Verification>(client, {
    read: () => readVerification(client, user),
    stateOf: (verification) => verification.status,
    onState,
    known,
    longestPauseMs: client.service.kind === 'sandbox' ? SANDBOX_PAUSE_MS : undefined,
    isDone: (verification) => {
      const { status: state, approved } = verification;
      if (!FINAL_STATES.includes(state) || approved) return kycStatusOf(verification) === 'approved';
      const why = verification['is_blocklisted'] === true ? ': a document or face is on a blocklist' : '';
      throw new Failure('identity_gate', `the verification is ${state}${why}`, {
        data: verification,
        hint: 'Another session counts towards the monthly quota.',
        next: afterEnd,
      });
    },
    notFinal: (verification) =>
      new Failure('not_final', `the verification is ${inSentence(verification.status)}`, {
        data: verification,
        next: hasSession(verification) ? later : start,
      }),
  });

/** A step of the walk, for display. */
export type KycEvent =
  /** A verification that existed before the walk. */
  | { readonly kind: 'found'; readonly verification: Verification }
  | { readonly kind: 'prepared'; readonly status: string }
  | { readonly kind: 'code_sent' | 'email_proven'; readonly email: string }
  | { readonly kind: 'session'; readonly verification: Verification };

/** How a user is named to the service. */
export type KycUser = { readonly email?: string | undefined; readonly wallet?: string | undefined };

/** The dependencies of `startKyc`. */
export type KycContext = {
  readonly client: Client;
  /** Throws before a code is sent, if there is no way to enter it. */
  readonly assertCodeAvailable: (email: string) => Promise<void>;
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
