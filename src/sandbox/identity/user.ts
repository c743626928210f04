import type { KYC_STATUSES } from '../assumptions.ts';
import { absorbUser, changeUser, expireSessions, findUser, insertUser, type UserRow } from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';
import { readWallet } from './challenge.ts';

/** A state of the verification. */
export type KycStatus = (typeof KYC_STATUSES)[number];

/** The e-mail address and the wallet of a user in a request. An empty text counts as missing. */
export type UserNames = { readonly email?: string | undefined; readonly wallet?: string | undefined };

/** A new user's id. */
export const newUserId = ({ random }: Services): string => `user_${Buffer.from(random.bytes(12)).toString('hex')}`;

/** The user of an e-mail address and the user of a wallet, in any format. Both can be the same user. */
export const findUsers = async (ledger: Ledger, { email, wallet }: UserNames) => {
  const parsed = wallet ? await readWallet(wallet) : undefined;
  return {
    byEmail: email ? await findUser(ledger, 'email', email.toLowerCase()) : undefined,
    byWallet: parsed && (await findUser(ledger, 'wallet', parsed.wallet)),
  };
};

/** Runs work in one transaction of the ledger, after old sessions have expired. */
export const inStep = async <T>({ ledger, clock }: Services, work: (step: Ledger) => Promise<T>): Promise<T> =>
  (await ledger()).transaction().execute(async (step) => {
    await expireSessions(step, clock.nowIso());
    return work(step);
  });

/** A user in the answer of prepare by e-mail. Document: KYC user. */
export const userView = ({ email_verified, status }: UserRow) => ({
  email_verified: email_verified === 1,
  kyc_approved: status === 'approved',
  kyc_status: status,
});

/** A user in the answer of prepare by wallet. A stored wallet is always proven. Document: KYC user. */
export const walletUserView = (user: UserRow) => ({ ...userView(user), wallet_verified: user.wallet !== null });

/** A proven wallet, and the e-mail address that its owner sent. */
export type Claim = { readonly wallet: string; readonly email: string | undefined };

/** The result of linking: a new or known wallet, or the conflict. */
export type LinkResult =
  | { readonly kind: 'linked'; readonly user: UserRow; readonly isNew: boolean }
  | { readonly kind: 'wallet_already_linked' | 'email_already_linked' };

/** When two records of one person are merged, the status that is first in this list counts. */
const BY_PROGRESS: readonly string[] = [
  'approved',
  'in_review',
  'pending',
  'expired',
  'declined',
] satisfies readonly KycStatus[];

const furthest = (a: string, b: string): string => (BY_PROGRESS.indexOf(a) <= BY_PROGRESS.indexOf(b) ? a : b);

/** Merges the records of one person: the record by wallet absorbs the record by e-mail. */
const mergeUsers = async (ledger: Ledger, byWallet: UserRow, byEmail: UserRow): Promise<UserRow> => {
  await absorbUser(ledger, byWallet.id, byEmail.id);
  return changeUser(ledger, byWallet.id, {
    email: byEmail.email,
    email_verified: byEmail.email_verified,
    status: furthest(byWallet.status, byEmail.status),
    is_blocklisted: Math.max(byWallet.is_blocklisted, byEmail.is_blocklisted),
  });
};

const linkEmail = async (ledger: Ledger, user: UserRow, byEmail: UserRow | undefined, { email }: Claim) => {
  if (email === undefined || user.email === email) return user;
  return byEmail ? mergeUsers(ledger, user, byEmail) : changeUser(ledger, user.id, { email });
};

/** Links a proven wallet to its user, or to a new user with this id. The caller runs it inside a transaction. */
export const linkWallet = async (ledger: Ledger, claim: Claim, id: string, created_at: string): Promise<LinkResult> => {
  const { wallet, email } = claim;
  const byWallet = await findUser(ledger, 'wallet', wallet);
  const byEmail = email === undefined ? undefined : await findUser(ledger, 'email', email);
  if (email !== undefined && byWallet?.email && byWallet.email !== email) return { kind: 'wallet_already_linked' };
  if (byEmail?.wallet && byEmail.wallet !== wallet) return { kind: 'email_already_linked' };
  if (byWallet) return { kind: 'linked', isNew: false, user: await linkEmail(ledger, byWallet, byEmail, claim) };
  const user = byEmail
    ? await changeUser(ledger, byEmail.id, { wallet })
    : await insertUser(ledger, { id, wallet, email: email ?? null, status: 'pending', created_at });
  return { kind: 'linked', isNew: true, user };
};
