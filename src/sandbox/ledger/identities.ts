import type { Insertable, Selectable, Updateable } from 'kysely';
import { MAX_EMAILS } from '../assumptions.ts';
import type { Ledger, Tables } from './ledger.ts';

/** A user of KYC. */
export type UserRow = Selectable<Tables['kyc_users']>;
/** A verification session. */
export type SessionRow = Selectable<Tables['kyc_sessions']>;

/** The user of an e-mail address, or of a wallet in the format of the service; `undefined` without one. */
export const findUser = (ledger: Ledger, by: 'email' | 'wallet', name: string): Promise<UserRow | undefined> =>
  ledger.selectFrom('kyc_users').selectAll().where(by, '=', name).executeTakeFirst();

/** Stores a new user and returns the row. */
export const insertUser = (ledger: Ledger, user: Insertable<Tables['kyc_users']>): Promise<UserRow> =>
  ledger.insertInto('kyc_users').values(user).returningAll().executeTakeFirstOrThrow();

/** Changes a user and returns the new row. Throws without such a user. */
export const changeUser = (ledger: Ledger, id: string, change: Updateable<Tables['kyc_users']>): Promise<UserRow> =>
  ledger.updateTable('kyc_users').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

/** Moves the sessions of a user `other` to a user, and deletes `other`. */
export const absorbUser = async (ledger: Ledger, id: string, other: string): Promise<void> => {
  await ledger.updateTable('kyc_sessions').set({ user_id: id }).where('user_id', '=', other).execute();
  await ledger.deleteFrom('kyc_users').where('id', '=', other).execute();
};

/** The newest session of a user; `undefined` without one. */
export const latestSession = (ledger: Ledger, userId: string): Promise<SessionRow | undefined> =>
  ledger.selectFrom('kyc_sessions').selectAll().where('user_id', '=', userId).orderBy('seq', 'desc').executeTakeFirst();

/** A session and its user. */
export type SessionWithUser = { readonly session: SessionRow; readonly user: UserRow };

/** A session by its id, with its user; `undefined` without one. */
export const findSession = async (ledger: Ledger, id: string): Promise<SessionWithUser | undefined> => {
  const session = await ledger.selectFrom('kyc_sessions').selectAll().where('id', '=', id).executeTakeFirst();
  if (!session) return undefined;
  const users = ledger.selectFrom('kyc_users').selectAll().where('id', '=', session.user_id);
  return { session, user: await users.executeTakeFirstOrThrow() };
};

/** The number of sessions that all users opened since a time in ISO 8601. */
export const countSessionsSince = async (ledger: Ledger, since: string): Promise<number> => {
  const count = ledger.selectFrom('kyc_sessions').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await count.where('created_at', '>=', since).executeTakeFirstOrThrow()).count;
};

/** Stores a new session and returns the row. */
export const insertSession = (ledger: Ledger, session: Insertable<Tables['kyc_sessions']>): Promise<SessionRow> =>
  ledger.insertInto('kyc_sessions').values(session).returningAll().executeTakeFirstOrThrow();

/** Changes a session, if it exists. */
export const changeSession = async (
  ledger: Ledger,
  id: string,
  change: Updateable<Tables['kyc_sessions']>,
): Promise<void> => {
  await ledger.updateTable('kyc_sessions').set(change).where('id', '=', id).execute();
};

/** Expires pending sessions after their time, and the pending status of their users. */
export const expireSessions = async (ledger: Ledger, now: string): Promise<void> => {
  const sessions = ledger.updateTable('kyc_sessions').set({ status: 'expired' }).where('status', '=', 'pending');
  const late = await sessions.where('expires_at', '<=', now).returning('user_id').execute();
  if (late.length === 0) return;
  const ids = late.map(({ user_id }) => user_id);
  const users = ledger.updateTable('kyc_users').set({ status: 'expired' }).where('status', '=', 'pending');
  await users.where('id', 'in', ids).execute();
};

/** An e-mail as `sandbox inbox` shows it. `code` is its one-time code. */
export type Email = Readonly<Omit<Selectable<Tables['inbox']>, 'seq' | 'recipient'>> & { readonly to: string };

/** Puts an e-mail into the inbox, and deletes the oldest e-mail of a full inbox. */
export const putEmail = async (ledger: Ledger, { to, ...email }: Email): Promise<void> => {
  const row = { recipient: to, ...email };
  const { seq } = await ledger.insertInto('inbox').values(row).returning('seq').executeTakeFirstOrThrow();
  const last = seq - MAX_EMAILS;
  await ledger.deleteFrom('inbox').where('seq', '<=', last).execute();
};

/** The e-mails to all addresses or to one address, newest first. */
export const listEmails = (ledger: Ledger, to: string | undefined): Promise<readonly Email[]> => {
  const all = ledger.selectFrom('inbox').select(['recipient as to', 'subject', 'text', 'code', 'sent_at']);
  const selected = to === undefined ? all : all.where('recipient', '=', to);
  return selected.orderBy('seq', 'desc').execute();
};
