import { sendOtp as endpoint } from '../../../contract/kyc/send-otp.ts';
import { sendCode } from '../../identity/otp.ts';
import { fail, handle, succeed } from '../handler.ts';

const MESSAGES = {
  user_not_found: 'The e-mail address was not prepared.',
  email_already_verified: 'The e-mail address is verified already.',
} as const;

/** POST /security/email/send-otp: into the sandbox's inbox. */
export const sendOtp = handle(endpoint, async ({ services }, { email }) => {
  const sent = await sendCode(services, email);
  return sent === 'otp_sent' ? succeed(sent, 'The code was sent.', undefined) : fail(sent, MESSAGES[sent]);
});
