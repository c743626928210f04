import { defineEndpoint } from '../define.ts';
import { userEmail } from './shared.ts';

/** Sends a one-time code to a prepared e-mail address. Document: POST /security/email/send-otp. */
export const sendOtp = defineEndpoint({
  id: 'kyc.send-otp',
  method: 'POST',
  path: '/security/email/send-otp',
  summary: 'Send a one-time code to an e-mail address',
  effect: 'spends_quota',
  key: 'optional',
  body: { email: userEmail() },
  invalid: 'missing_params',
  success: { otp_sent: { http: 201 } },
  errors: {
    unauthorized: 401,
    missing_params: 400,
    email_already_verified: 400,
    user_not_found: 404,
    server_error: 500,
  },
  example: { email: 'payer@example.com' },
});
