import { defineEndpoint } from '../define.ts';
import { anyText, flag, list, open, text, undocumented, uri } from '../fields.ts';
import { emailOrWallet, userEmail, userWallet } from './shared.ts';

/** A verification. Only a verification with a session has the session's fields. Document: KYC status. */
const verification = open(
  {
    // not shown: values of status.
    status: text('State of the verification'),
    approved: flag('Whether the user is approved'),
    session_id: anyText('Id of the session').nullish(),
    session_status: anyText('State of the session at its provider').nullish(),
    session_url: uri('Page on which the user is verified').nullish(),
    // not shown: the fields of an entry.
    ip_info: list(undocumented('One address or device'), 'Addresses and devices of the user').nullish(),
    is_blocklisted: flag('Whether a document or face matches a blocklist'),
  },
  'The verification of the user',
  'KycStatus',
);

/** Reads a verification. Document: GET /kyc/status. */
export const status = defineEndpoint({
  id: 'kyc.status',
  method: 'GET',
  path: '/kyc/status',
  summary: 'Show the verification of a user',
  effect: 'reads',
  key: 'optional',
  query: { email: userEmail().optional(), wallet: userWallet().optional() },
  rules: [emailOrWallet],
  invalid: 'missing_params',
  success: {
    kyc_status_retrieved: {
      http: 200,
      data: verification,
      example: {
        status: 'pending',
        approved: false,
        session_id: 'ses_0123',
        session_status: 'pending',
        session_url: 'https://verify.example.com/ses_0123',
        ip_info: [],
        is_blocklisted: false,
      },
    },
  },
  errors: { unauthorized: 401, missing_params: 400, kyc_not_found: 404, server_failed: 500 },
  example: { email: 'payer@example.com' },
});
