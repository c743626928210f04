import { MAX_EMAILS } from '../assumptions.ts';
import type { Ledger } from './ledger.ts';

/** An e-mail as `sandbox inbox` shows it. `code` is the one-time code that it carries. */
export type Email = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  readonly sent_at: string;
};

/** Puts an e-mail into the inbox; the oldest one goes when it is full. */
export const putEmail = async (ledger: Ledger, { to, ...email }: Email): Promise<void> => {
  const { seq } = await ledger
    .insertInto('inbox')
    .values({ recipient: to, ...email })
    .returning('seq')
    .executeTakeFirstOrThrow();
  await ledger
    .deleteFrom('inbox')
    .where('seq', '<=', seq - MAX_EMAILS)
    .execute();
};

/** The e-mails of everybody or of one address, newest first. */
export const listEmails = (ledger: Ledger, to: string | undefined): Promise<readonly Email[]> => {
  const all = ledger.selectFrom('inbox').select(['recipient as to', 'subject', 'text', 'code', 'sent_at']);
  const wanted = to === undefined ? all : all.where('recipient', '=', to);
  return wanted.orderBy('seq', 'desc').execute();
};
