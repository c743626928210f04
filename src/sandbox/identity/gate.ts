import type { Services } from '../services.ts';

/** How a payer is named. */
type Named = { readonly email?: string | undefined; readonly wallet?: string | undefined };

/** What a fiat-related payment may do: go on, or the status that it is refused with. */
export type GateVerdict = 'approved' | 'kyc_verification_required' | 'kyc_not_approved';

/**
 * Whether a payer may pay by a method that needs KYC. Assumption: no record at all gives the first refusal, a record
 * that is not approved the second, and with e-mail and wallet sent either approved is enough.
 */
export const identityGate = async (services: Services, { email = '', wallet = '' }: Named): Promise<GateVerdict> => {
  const users = await (await services.ledger())
    .selectFrom('kyc_users')
    .select('status')
    .where((where) => where.or([where('email', '=', email), where('wallet', '=', wallet)]))
    .execute();
  if (users.some(({ status }) => status === 'approved')) return 'approved';
  return users.length > 0 ? 'kyc_not_approved' : 'kyc_verification_required';
};
