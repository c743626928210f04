import { defineEndpoint } from '../define.ts';
import { anyText, flag, open, segment, uri } from '../fields.ts';
import { emailOrWallet, userEmail, userWallet } from './shared.ts';

const session = open(
  {
    session_id: anyText('Id of the session').nullish(),
    session_url: uri('Page on which the user is verified').nullish(),
  },
  'The hosted verification session',
  'HostedSession',
);

// not shown: the fields for an existing session and for an approved user. All may be missing.
const opened = open(
  {
    success: flag('Whether the session can be used').optional(),
    message: anyText('What was done').optional(),
    session: session.nullish(),
  },
  'The verification session',
  'KycSession',
);

/** Opens or resumes a hosted verification. Document: POST /kyc/create/{kyc_type}. */
export const create = defineEndpoint({
  id: 'kyc.create',
  method: 'POST',
  path: '/kyc/create/{kyc_type}',
  summary: 'Open a hosted verification session',
  effect: 'spends_quota',
  key: 'optional',
  params: { kyc_type: segment('Kind of verification; verify_public_kyc is the public one') },
  body: { email: userEmail().optional(), wallet: userWallet().optional() },
  rules: [emailOrWallet],
  // not shown: the answer to a missing field.
  invalid: 'missing_params',
  success: {
    kyc_session_created: {
      http: 201,
      data: opened,
      example: {
        success: true,
        message: 'Verification session created',
        session: { session_id: 'ses_0123', session_url: 'https://verify.example.com/ses_0123' },
      },
    },
  },
  unshownFields: true,
  errors: {
    unauthorized: 401,
    missing_params: 400,
    identity_not_verified: 403,
    user_not_prepared: 403,
    verify_quota_exceeded: 429,
    method_not_found: 404,
    server_failed: 500,
  },
  assumed: ['missing_params'],
  example: { kyc_type: 'verify_public_kyc', email: 'payer@example.com' },
});
