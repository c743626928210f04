import type { decideKyc as contract } from '../../contract/control/identity.ts';
import type { InputOf } from '../../contract/define.ts';
import { parseJson, printJson } from '../../core/json.ts';
import { IP_INFO } from '../assumptions.ts';
import {
  changeSession,
  changeUser,
  findSession,
  latestSession,
  type SessionRow,
  type UserRow,
  type Visited,
} from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Services } from '../services.ts';
import { findUsers, inStep, type KycStatus, type Named } from './user.ts';

/** A decision of the verification's provider. */
export type Decision = InputOf<typeof contract>['decision'];

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
 * Decides a verification as its provider would, whatever its state: that of the user and of the last session, where
 * there is one. `false` when there is no such user. Approving takes a user off the blocklist.
 */
export const decideKyc = (services: Services, named: Named, decision: Decision): Promise<boolean> =>
  inStep(services, async (step) => {
    const { byEmail, byWallet } = await findUsers(step, named);
    const user = byEmail ?? byWallet;
    if (user) await decideUser(step, user, await latestSession(step, user.id), decision);
    return user !== undefined;
  });

/** Decides an open session on its page; one that was decided or has expired stays as it is. */
export const decideSession = (services: Services, id: string, decision: Decision): Promise<void> =>
  inStep(services, async (step) => {
    const visited = await findSession(step, id);
    if (visited?.session.status !== 'pending' || visited.user.status !== 'pending') return;
    await decideUser(step, visited.user, visited.session, decision);
  });

/** A session and its user, as its page shows them; that it was looked at is kept. */
export const visitSession = (services: Services, id: string): Promise<Visited | undefined> =>
  inStep(services, async (step) => {
    const visited = await findSession(step, id);
    if (!visited) return undefined;
    const ip_info = withVisit(visited.session);
    if (ip_info !== visited.session.ip_info) await changeSession(step, id, { ip_info });
    return visited;
  });
