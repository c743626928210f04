import { parseJson, printJson } from '../../core/json.ts';
import { IP_INFO } from '../assumptions.ts';
import { changeSession, changeUser, expireSessions, latestSession, type SessionRow } from '../ledger/identities.ts';
import type { Services } from '../services.ts';
import type { Decision } from './decisions.ts';
import { findUsers, type KycStatus, type Named } from './user.ts';

const STATUS_AFTER = {
  approve: 'approved',
  decline: 'declined',
  review: 'in_review',
  expire: 'expired',
  blocklist: 'declined',
} as const satisfies Record<Decision, KycStatus>;

/** The address and device that a session was held from; one that is known already is not repeated. */
const withVisit = ({ ip_info }: SessionRow): string => {
  const known = parseJson(ip_info) as readonly unknown[];
  const isKnown = known.some((entry) => printJson(entry) === printJson(IP_INFO));
  return isKnown ? ip_info : printJson([...known, IP_INFO]);
};

/**
 * Decides a verification as its provider would, whatever its state: that of the user and of the last session, where
 * there is one. `false` when there is no such user. Approving takes a user off the blocklist.
 */
export const decideKyc = async (services: Services, named: Named, decision: Decision): Promise<boolean> =>
  (await services.ledger()).transaction().execute(async (step) => {
    await expireSessions(step, services.clock.nowIso());
    const { byEmail, byWallet } = await findUsers(step, named);
    const user = byEmail ?? byWallet;
    if (!user) return false;
    const status = STATUS_AFTER[decision];
    const blocklist = decision === 'blocklist' ? { is_blocklisted: 1 } : {};
    await changeUser(step, user.id, { status, ...(decision === 'approve' ? { is_blocklisted: 0 } : blocklist) });
    const session = await latestSession(step, user.id);
    if (session) await changeSession(step, session.id, { status, ip_info: withVisit(session) });
    return true;
  });
