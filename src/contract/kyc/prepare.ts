import { defineEndpoint } from '../define.ts';
import { EXAMPLE_USER, preparedUser, userEmail } from './shared.ts';

/** Prepares a user by e-mail. Document: POST /kyc/prepare. */
export const prepare = defineEndpoint({
  id: 'kyc.prepare',
  method: 'POST',
  path: '/kyc/prepare',
  summary: 'Prepare a user for KYC by e-mail',
  effect: 'writes',
  key: 'optional',
  body: { email: userEmail() },
  invalid: 'missing_params',
  success: {
    user_prepared: { http: 201 },
    user_already_prepared: { http: 200, data: preparedUser, example: EXAMPLE_USER },
  },
  errors: { unauthorized: 401, missing_params: 400, server_failed: 500 },
  example: { email: 'payer@example.com' },
});
