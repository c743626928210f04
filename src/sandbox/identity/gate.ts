import { expireSessions } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import { findUsers, type Named } from './user.ts';

/** What a fiat-related payment may do: go on, or the status that it is refused with. */
export type GateVerdict = 'approved' | 'kyc_verification_required' | 'kyc_not_approved';

/**
 * Whether a payer may pay by a method that needs KYC. Document: KYC/KYB rules for transaction creation; whoever calls
 * this leaves out checkout and pure crypto. Assumption: every identity that is sent must be approved. One without a
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
