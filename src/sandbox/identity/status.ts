import type { DataOf } from '../../contract/define.ts';
import type { status } from '../../contract/kyc/status.ts';
import { parseJson } from '../../core/json.ts';
import { expireSessions, latestSession, type SessionRow, type UserRow } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import { sessionUrl } from './session.ts';
import { findUsers, type Named } from './user.ts';

/** The verdict on a fiat-related payment: approved, or the status of its refusal. */
export type GateVerdict = 'approved' | 'kyc_verification_required' | 'kyc_not_approved';

/**
 * Whether a payer may pay by a method that needs KYC. Document: KYC/KYB rules for transaction creation; the caller
 * leaves out checkout and pure crypto. Assumption: every identity that is sent must be approved. One without a
 * record gives the first refusal, else one that is not approved the second. A payer who names neither needs none.
 */
export const identityGate = async (services: Services, named: Named): Promise<GateVerdict> => {
  const ledger = await services.ledger();
  await expireSessions(ledger, services.clock.nowIso());
  const { byEmail, byWallet } = await findUsers(ledger, named);
  const sent = [...(named.email ? [byEmail] : []), ...(named.wallet ? [byWallet] : [])];
  if (sent.some((user) => user === undefined)) return 'kyc_verification_required';
  return sent.every((user) => user?.status === 'approved') ? 'approved' : 'kyc_not_approved';
};

/** A verification as the service shows it. Document: KYC status. */
export type Verification = DataOf<typeof status, 'kyc_status_retrieved'>;

/** The fields of a session, where there is one; its address only while it is pending. */
const sessionFields = (services: Services, session: SessionRow | undefined) =>
  session && {
    session_id: session.id,
    session_status: session.status,
    ...(session.status === 'pending' && { session_url: sessionUrl(services, session.id) }),
  };

const viewOf = (services: Services, user: UserRow, session: SessionRow | undefined): Verification => ({
  status: user.status,
  approved: user.status === 'approved',
  ...sessionFields(services, session),
  ip_info: session ? (parseJson(session.ip_info) as Record<string, unknown>[]) : [],
  is_blocklisted: user.is_blocklisted === 1,
});

/** The verification of a user; of an e-mail address and a wallet that lead to two users, the one of the address. */
export const readVerification = async (services: Services, named: Named): Promise<Verification | undefined> => {
  const ledger = await services.ledger();
  await expireSessions(ledger, services.clock.nowIso());
  const { byEmail, byWallet } = await findUsers(ledger, named);
  const user = byEmail ?? byWallet;
  return user && viewOf(services, user, await latestSession(ledger, user.id));
};
