import { verifyOtp as endpoint } from '../../../contract/kyc/verify-otp.ts';
import { answerCode } from '../../identity/otp.ts';
import { fail, handle, succeed } from '../handler.ts';

const MESSAGES = {
  user_not_found: 'The e-mail address was not prepared.',
  email_already_verified: 'The e-mail address is verified already.',
  otp_invalid: 'This is not the code that was sent.',
  otp_expired: 'The code has expired; ask for a new one.',
  otp_max_attempts: 'Too many wrong codes; ask for a new one.',
} as const;

/** POST /security/email/verify-otp. */
export const verifyOtp = handle(endpoint, async ({ services }, { email, code }) => {
  const { status, left } = await answerCode(services, email, code);
  if (status === 'email_verified') return succeed(status, 'The e-mail address is verified.', undefined);
  if (status !== 'otp_invalid' || left === undefined) return fail(status, MESSAGES[status]);
  return fail(status, `${MESSAGES[status]} It leaves ${left === 1 ? '1 more try' : `${left} more tries`}.`);
});
