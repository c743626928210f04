import * as z from 'zod';
import { type Client, call, type Input } from '../../client/call.ts';
import { status } from '../../contract/kyc/status.ts';
import { Failure } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import { inSentence } from '../../core/remote-text.ts';
import { waitFor } from '../waiting.ts';

/** What a wait reads of a verification; all the rest passes through. */
const verificationSchema = z.looseObject({
  status: z.string(),
  approved: z.boolean().optional(),
  session_id: z.string().nullish(),
  session_url: z.string().nullish(),
});

/** A verification as the service shows it; `status` is its own word. */
export type Verification = z.infer<typeof verificationSchema>;

/** States after which nothing comes by itself. The document shows no list: any other may still change. */
const ENDS: readonly string[] = ['declined', 'expired'];

/**
 * Where the verification of a user stands:
 * - `open`: a session waits for its user, at an address that is known;
 * - `under_way`: there is a session, and nothing that its user can do about it here;
 * - `none`: there is no session that is known of.
 */
export type KycStatus = 'approved' | 'declined' | 'expired' | 'open' | 'under_way' | 'none';

/** Reads where a verification stands. */
export const kycStatusOf = ({ status: state, approved, session_id, session_url }: Verification): KycStatus => {
  if (approved ?? state === 'approved') return 'approved';
  if (state === 'declined' || state === 'expired') return state;
  if (session_url) return 'open';
  return session_id && state !== 'pending' ? 'under_way' : 'none';
};

/** Reads the verification of a user. Throws `not_found` where there is none. */
export const readVerification = async (client: Client, user: Input): Promise<Verification> => {
  const { data, status: answered } = await call(client, status, user);
  const parsed = verificationSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Failure('unexpected_answer', 'the answer does not show the state of the verification', {
    status: answered,
    data,
  });
};

/** What a wait is told: the commands that go on after an end that is not good, and after one that is none. */
type Wait = {
  readonly afterEnd: NextStep;
  readonly later: NextStep;
  /** What is known of it before the first look. */
  readonly known?: Verification | undefined;
  readonly onState: (verification: Verification) => void | Promise<void>;
};

/**
 * Polls the verification of a user until it is approved. Throws `identity_gate` when it is declined or has expired,
 * `not_final` when the time of the command is over.
 */
export const waitForApproval = (
  client: Client,
  user: Input,
  { afterEnd, later, known, onState }: Wait,
): Promise<Verification> =>
  waitFor<Verification>(client, {
    read: () => readVerification(client, user),
    stateOf: (verification) => verification.status,
    onState,
    known,
    isDone: (verification) => {
      const { status: state, approved } = verification;
      if (!ENDS.includes(state) || approved) return kycStatusOf(verification) === 'approved';
      throw new Failure('identity_gate', `the verification is ${state}`, {
        data: verification,
        hint: 'Another session counts towards the quota of the month.',
        next: afterEnd,
      });
    },
    notFinal: (verification) =>
      new Failure('not_final', `the verification is ${inSentence(verification.status)}`, {
        data: verification,
        next: later,
      }),
  });
