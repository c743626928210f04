import { prepare as endpoint } from '../../../contract/kyc/prepare.ts';
import { newUserId, userView } from '../../identity/user.ts';
import { findUserByEmail, insertUser } from '../../ledger/identities.ts';
import { handle, succeed } from '../handler.ts';

/** POST /kyc/prepare. */
export const prepare = handle(endpoint, async ({ services }, { email }) => {
  const fresh = { id: newUserId(services), email, status: 'pending', created_at: services.clock.nowIso() };
  const known = await (await services.ledger()).transaction().execute(async (step) => {
    const user = await findUserByEmail(step, email);
    if (!user) await insertUser(step, fresh);
    return user;
  });
  if (!known) return succeed('user_prepared', 'The user was prepared.', undefined);
  return succeed('user_already_prepared', 'The user was prepared before.', userView(known));
});
