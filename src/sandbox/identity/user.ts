import type { KYC_STATUSES } from '../assumptions.ts';
import { findUserByEmail, findUserByWallet, type UserRow } from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';
import { readWallet } from './wallet.ts';

/** A state of the verification. */
export type KycStatus = (typeof KYC_STATUSES)[number];

/** How a user is named in a request. An empty text is as good as none. */
export type Named = { readonly email?: string | undefined; readonly wallet?: string | undefined };

/** The users that an e-mail address and a wallet lead to; both may lead to the same one. */
export type Found = { readonly byEmail: UserRow | undefined; readonly byWallet: UserRow | undefined };

/** A new user's id. */
export const newUserId = ({ io }: Services): string => `user_${Buffer.from(io.random.bytes(12)).toString('hex')}`;

/** Looks for users by what they are named by, the wallet in any format. */
export const findUsers = async (ledger: Ledger, { email, wallet }: Named): Promise<Found> => {
  const read = wallet ? await readWallet(wallet) : undefined;
  return {
    byEmail: email ? await findUserByEmail(ledger, email.toLowerCase()) : undefined,
    byWallet: read && (await findUserByWallet(ledger, read.wallet)),
  };
};

/** A user as prepare by e-mail returns it. Document: KYC user. */
export const userView = ({ email_verified, status }: UserRow) => ({
  email_verified: email_verified === 1,
  kyc_approved: status === 'approved',
  kyc_status: status,
});

/** A user as prepare by wallet returns it: a wallet is linked only when it was proven. */
export const walletUserView = (user: UserRow) => ({ ...userView(user), wallet_verified: user.wallet !== null });
