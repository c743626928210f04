import { status as endpoint } from '../../../contract/kyc/status.ts';
import { readVerification } from '../../identity/status.ts';
import { fail, handle, succeed } from '../handler.ts';

/** GET /kyc/status. A prepared user has a record, with or without a session. */
export const status = handle(endpoint, async ({ services }, { email, wallet }) => {
  const verification = await readVerification(services, { email, wallet });
  if (!verification) return fail('kyc_not_found', 'There is no verification of this user.');
  return succeed('kyc_status_retrieved', 'The verification of the user.', verification);
});
