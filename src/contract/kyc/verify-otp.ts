import { defineEndpoint } from '../define.ts';
import { text } from '../fields.ts';
import { userEmail } from './shared.ts';

/**
 * Verifies an e-mail address by the code that was sent to it. A wrong code uses up one of a limited number of attempts.
 * Document: POST /security/email/verify-otp.
 */
export const verifyOtp = defineEndpoint({
  id: 'kyc.verify-otp',
  method: 'POST',
  path: '/security/email/verify-otp',
  summary: 'Verify an e-mail address by its one-time code',
  effect: 'spends_quota',
  key: 'optional',
  body: {
    email: userEmail(),
    // not shown: the length of a code.
    code: text('The one-time code'),
  },
  invalid: 'missing_params',
  success: { email_verified: { http: 200 } },
  errors: {
    unauthorized: 401,
    missing_params: 400,
    otp_invalid: 400,
    otp_expired: 400,
    otp_max_attempts: 400,
    email_already_verified: 400,
    user_not_found: 404,
    server_error: 500,
  },
  example: { email: 'payer@example.com', code: '481516' },
});
