import { call, dataOf } from '../../client/call.ts';
import { prepare } from '../../contract/kyc/prepare.ts';
import { sendOtp } from '../../contract/kyc/send-otp.ts';
import { verifyOtp } from '../../contract/kyc/verify-otp.ts';
import { type Failure, isFailure } from '../../core/failure.ts';
import { isUnclear } from '../read-back.ts';
import type { KycContext } from './context.ts';

const isProvenAlready = (error: unknown): boolean =>
  isFailure(error) && error.details.status === 'email_already_verified';

/** Prepares a user, which changes nothing of one who is. Returns whether the e-mail address is proven. */
export const prepareEmail = async ({ client, on }: KycContext, email: string): Promise<boolean> => {
  const envelope = await call(client, prepare, { email });
  await on({ kind: 'prepared', status: envelope.status });
  if (envelope.status === 'user_prepared') return false;
  return dataOf(prepare, 'user_already_prepared', envelope).email_verified;
};

/** What came of a code: nothing more to do, or why it is not the end. */
type Outcome = 'proven' | 'sent' | Failure;

/** Sends a code. A lost answer is trouble, and no reason to send another: the first may have arrived. */
const send = async ({ client, on }: KycContext, email: string): Promise<Outcome> => {
  try {
    await call(client, sendOtp, { email });
  } catch (error) {
    if (isProvenAlready(error)) return 'proven';
    if (isUnclear(error)) return error;
    throw error;
  }
  await on({ kind: 'code_sent', email });
  return 'sent';
};

/** Refusals after which another code, or another e-mail, may do. */
const MENDABLE: readonly (string | undefined)[] = ['otp_invalid', 'otp_expired', 'otp_max_attempts'];

/** Tries a code, once: attempts are counted. After a lost answer it is read back whether it was the right one. */
const attempt = async (context: KycContext, email: string, code: string): Promise<'proven' | Failure> => {
  try {
    await call(context.client, verifyOtp, { email, code });
    return 'proven';
  } catch (error) {
    if (isProvenAlready(error)) return 'proven';
    if (isUnclear(error)) return (await prepareEmail(context, email)) ? 'proven' : error;
    if (isFailure(error) && MENDABLE.includes(error.details.status)) return error;
    throw error;
  }
};

/**
 * Proves an e-mail address by the code that is sent to it (document: KYC by email). `isSent`: a code is on its way
 * already. Wrong codes are asked about until the service, or the user, has enough of it.
 */
export const proveEmail = async (context: KycContext, email: string, isSent: boolean): Promise<void> => {
  context.assertCodeCanCome();
  const isThere = isSent || (await context.hasCode?.(email)) === true;
  let last: Outcome = isThere ? 'sent' : await send(context, email);
  while (last !== 'proven') {
    const code = await context.nextCode(email, last === 'sent' ? undefined : last);
    last = code === undefined ? await send(context, email) : await attempt(context, email, code);
  }
  await context.on({ kind: 'email_proven', email });
};
