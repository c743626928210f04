import type { decideKyc as decideEndpoint } from '../../contract/control/identity.ts';
import type { DataOf, InputOf } from '../../contract/define.ts';
import type { status } from '../../contract/kyc/status.ts';
import { parseJson, printJson } from '../../core/json.ts';
import { IP_INFO, KYC_SESSION_MS } from '../assumptions.ts';
import {
  changeSession,
  changeUser,
  countSessionsSince,
  findSession,
  insertSession,
  latestSession,
  type SessionRow,
  type SessionWithUser,
  type UserRow,
} from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readKycQuota } from '../ledger/settings.ts';
import type { Services } from '../services.ts';
import { findUsers, inStep, type KycStatus, type UserNames } from './user.ts';

/** The result of opening a session: the session, or the reason for none. */
export type OpenSessionResult =
  | { readonly kind: 'opened' | 'resumed'; readonly session: SessionRow }
  | { readonly kind: 'approved' | 'user_not_prepared' | 'identity_not_verified' | 'verify_quota_exceeded' };

/** The address of a session's page. */
export const sessionUrl = (services: Services, id: string): string => `${services.url()}/kyc/sessions/${id}`;

/** Whether a session has no decision yet. An open session is resumed, not replaced. */
const isOpen = ({ status }: SessionRow): boolean => status === 'pending' || status === 'in_review';

/** The user of a request. `undefined` without one, or when e-mail and wallet belong to different users. */
const findSameUser = async (ledger: Ledger, named: UserNames): Promise<UserRow | undefined> => {
  const { byEmail, byWallet } = await findUsers(ledger, named);
  if (named.email && named.wallet) return byEmail?.id === byWallet?.id ? byEmail : undefined;
  return byEmail ?? byWallet;
};

/**
 * Whether the user has a proof. Assumption: of an e-mail and a wallet one proof is enough; every stored wallet is
 * proven.
 */
const isProven = (user: UserRow, { wallet }: UserNames): boolean => user.email_verified === 1 || Boolean(wallet);

const startOfMonth = (iso: string): string => `${iso.slice(0, 7)}-01T00:00:00.000Z`;

const open = async (services: Services, ledger: Ledger, user: UserRow): Promise<OpenSessionResult> => {
  const created_at = services.clock.nowIso();
  if ((await countSessionsSince(ledger, startOfMonth(created_at))) >= (await readKycQuota(ledger))) {
    return { kind: 'verify_quota_exceeded' };
  }
  const session = await insertSession(ledger, {
    id: `kyc_${Buffer.from(services.random.bytes(16)).toString('hex')}`,
    user_id: user.id,
    status: 'pending',
    ip_info: '[]',
    created_at,
    expires_at: new Date(services.clock.now() + KYC_SESSION_MS).toISOString(),
  });
  await changeUser(ledger, user.id, { status: 'pending' });
  return { kind: 'opened', session };
};

/** Opens a verification session, or resumes the open session. Only a new session uses the quota. */
export const openSession = (services: Services, named: UserNames): Promise<OpenSessionResult> =>
  inStep(services, async (step) => {
    const user = await findSameUser(step, named);
    if (!user) return { kind: 'user_not_prepared' };
    if (!isProven(user, named)) return { kind: 'identity_not_verified' };
    if (user.status === 'approved') return { kind: 'approved' };
    const latest = await latestSession(step, user.id);
    return latest && isOpen(latest) ? { kind: 'resumed', session: latest } : open(services, step, user);
  });

/** The result of the KYC check of a fiat-related payment: approved, or the status of the refusal. */
export type GateVerdict = 'approved' | 'kyc_verification_required' | 'kyc_not_approved';

/**
 * Whether a payer may pay by a method that needs KYC. Document: KYC/KYB rules for transaction creation. The caller does
 * not call this for checkout and pure crypto. Assumption: each sent identity must be approved. An identity without a
 * record is `kyc_verification_required`; otherwise an unapproved one is `kyc_not_approved`. Without an identity the
 * result is `approved`.
 */
export const identityGate = async (services: Services, named: UserNames): Promise<GateVerdict> => {
  const { byEmail, byWallet } = await inStep(services, (step) => findUsers(step, named));
  const sent = [...(named.email ? [byEmail] : []), ...(named.wallet ? [byWallet] : [])];
  if (sent.some((user) => user === undefined)) return 'kyc_verification_required';
  return sent.every((user) => user?.status === 'approved') ? 'approved' : 'kyc_not_approved';
};

/** A verification as answers show it. Document: KYC status. */
type Verification = DataOf<typeof status, 'kyc_status_retrieved'>;

/** The fields of a session, if any. The address is only in a pending session. */
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

/** The verification of a user; `undefined` without one. If e-mail and wallet belong to two users, the e-mail counts. */
export const readVerification = (services: Services, named: UserNames): Promise<Verification | undefined> =>
  inStep(services, async (step) => {
    const { byEmail, byWallet } = await findUsers(step, named);
    const user = byEmail ?? byWallet;
    return user && viewOf(services, user, await latestSession(step, user.id));
  });

/** A decision of the verification's provider. */
export type Decision = InputOf<typeof decideEndpoint>['decision'];

const STATUS_AFTER = {
  approve: 'approved',
  decline: 'declined',
  review: 'in_review',
  expire: 'expired',
  blocklist: 'declined',
} as const satisfies Record<Decision, KycStatus>;

/** `ip_info` of a session with the visitor's address and device. A known entry is not repeated. */
const withVisit = ({ ip_info }: SessionRow): string => {
  const entries = parseJson(ip_info) as readonly unknown[];
  const isKnown = entries.some((entry) => printJson(entry) === printJson(IP_INFO));
  return isKnown ? ip_info : printJson([...entries, IP_INFO]);
};

const decideUser = async (
  ledger: Ledger,
  user: UserRow,
  session: SessionRow | undefined,
  decision: Decision,
): Promise<void> => {
  const status = STATUS_AFTER[decision];
  const blocklist = decision === 'blocklist' ? { is_blocklisted: 1 } : {};
  await changeUser(ledger, user.id, { status, ...(decision === 'approve' ? { is_blocklisted: 0 } : blocklist) });
  if (session) await changeSession(ledger, session.id, { status, ip_info: withVisit(session) });
};

/**
 * Applies a provider's decision to a user and the user's last session, in any state. Returns `false` without such a
 * user. Approval removes a user from the blocklist.
 */
export const decideKyc = (services: Services, named: UserNames, decision: Decision): Promise<boolean> =>
  inStep(services, async (step) => {
    const { byEmail, byWallet } = await findUsers(step, named);
    const user = byEmail ?? byWallet;
    if (user) await decideUser(step, user, await latestSession(step, user.id), decision);
    return user !== undefined;
  });

/** Decides a pending session from its page. A decided or expired session does not change. */
export const decideSession = (services: Services, id: string, decision: Decision): Promise<void> =>
  inStep(services, async (step) => {
    const visited = await findSession(step, id);
    if (visited?.session.status !== 'pending' || visited.user.status !== 'pending') return;
    await decideUser(step, visited.user, visited.session, decision);
  });

/** A session and its user, for the session's page; `undefined` without one. Stores the visit in `ip_info`. */
export const visitSession = (services: Services, id: string): Promise<SessionWithUser | undefined> =>
  inStep(services, async (step) => {
    const visited = await findSession(step, id);
    if (!visited) return undefined;
    const ip_info = withVisit(visited.session);
    if (ip_info !== visited.session.ip_info) await changeSession(step, id, { ip_info });
    return visited;
  });
