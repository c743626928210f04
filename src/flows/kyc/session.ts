import { type Client, call, dataOf } from '../../client/call.ts';
import { create } from '../../contract/kyc/create.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { inSentence } from '../../core/remote-text.ts';
import { isUnclear, readingBack, withFindings } from '../read-back.ts';
import type { KycUser } from './context.ts';
import { kycStatusOf, readVerification, type Verification } from './status.ts';

/** A session counts towards the month also where the answer about it was lost: it is looked for before anything else. */
const lookFor = async (client: Client, user: KycUser, lost: Failure): Promise<Verification> => {
  const verification = await readingBack(lost, () => readVerification(client, user));
  if (['open', 'under_way', 'approved'].includes(kycStatusOf(verification))) return verification;
  const hint =
    `${lost.details.hint ?? ''} It was read back: the verification is ${inSentence(verification.status)}.`.trim();
  throw withFindings(lost, { hint, data: verification });
};

/** The state after a session was opened. That it cannot be read at once must not lose the address of the session. */
const stateNow = async (client: Client, user: KycUser, status: string): Promise<Verification> => {
  try {
    return await readVerification(client, user);
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    return { status };
  }
};

/**
 * Opens a hosted verification, or resumes the one that is open. It may spend a quota, so it is called once. Throws
 * `rejected` where the service gave neither a session nor an approved user.
 */
export const openSession = async (client: Client, kycType: string, user: KycUser): Promise<Verification> => {
  let envelope: Awaited<ReturnType<typeof call>>;
  try {
    envelope = await call(client, create, { kyc_type: kycType, ...user });
  } catch (error) {
    if (!isUnclear(error)) throw error;
    return lookFor(client, user, error);
  }
  const { session, message, success } = dataOf(create, 'kyc_session_created', envelope);
  const { session_id, session_url } = session ?? {};
  const verification = {
    ...(await stateNow(client, user, envelope.status)),
    ...(session_id && { session_id }),
    ...(session_url && { session_url }),
  };
  if (success !== false || kycStatusOf(verification) === 'approved') return verification;
  throw new Failure('rejected', message ? inSentence(message) : 'the service opened no session', {
    status: envelope.status,
    data: verification,
  });
};
