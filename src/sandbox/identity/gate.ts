import { expireSessions } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import { findUsers, type Named } from './user.ts';

/** What a fiat-related payment may do: go on, or the status that it is refused with. */
export type GateVerdict = 'approved' | 'kyc_verification_required' | 'kyc_not_approved';

/**
 * Whether a payer may pay by a method that needs KYC. Document: KYC/KYB rules for transaction creation; whoever calls
 * this leaves out checkout and pure crypto. Assumption: no record at all gives the first refusal, a record that is not
 * approved the second, and with e-mail and wallet sent either approved is enough. A payer who names neither needs none.
 */
export const identityGate = async (services: Services, named: Named): Promise<GateVerdict> => {
  if (!named.email && !named.wallet) return 'approved';
  const ledger = await services.ledger();
  await expireSessions(ledger, services.clock.nowIso());
  const { byEmail, byWallet } = await findUsers(ledger, named);
  if (byEmail?.status === 'approved' || byWallet?.status === 'approved') return 'approved';
  return byEmail || byWallet ? 'kyc_not_approved' : 'kyc_verification_required';
};
