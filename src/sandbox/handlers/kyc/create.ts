import { create as endpoint } from '../../../contract/kyc/create.ts';
import { KYC_TYPES } from '../../assumptions.ts';
import { openSession, sessionUrl } from '../../identity/session.ts';
import { fail, handle, succeed } from '../handler.ts';

const REFUSALS = {
  user_not_prepared: 'No prepared user has this e-mail address and wallet.',
  identity_not_verified: 'The e-mail address or wallet is not verified yet.',
  verify_quota_exceeded: 'The verifications of this month are used up.',
} as const;

const MESSAGES = {
  opened: 'A verification session was opened.',
  resumed: 'The open verification session goes on.',
} as const;

/** POST /kyc/create/{kyc_type}. Assumption: an approved user gets no session. */
export const create = handle(endpoint, async ({ services }, { kyc_type, email, wallet }) => {
  if (!KYC_TYPES.includes(kyc_type)) return fail('method_not_found', `There is no verification ${kyc_type}.`);
  const opened = await openSession(services, { email, wallet });
  switch (opened.kind) {
    case 'opened':
    case 'resumed': {
      const message = MESSAGES[opened.kind];
      const { id } = opened.session;
      const session = { session_id: id, session_url: sessionUrl(services, id) };
      return succeed('kyc_session_created', message, { success: true, message, session });
    }
    case 'approved': {
      const message = 'The user is approved already.';
      return succeed('kyc_session_created', message, { success: true, message, session: null });
    }
    case 'user_not_prepared':
    case 'identity_not_verified':
    case 'verify_quota_exceeded':
      return fail(opened.kind, REFUSALS[opened.kind]);
    default: {
      const never: never = opened;
      return never;
    }
  }
});
