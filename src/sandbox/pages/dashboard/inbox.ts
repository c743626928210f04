import type { Email } from '../../ledger/inbox.ts';
import { countOf, latestEmails } from '../../ledger/latest.ts';
import { html } from '../html.ts';
import { time } from '../marks.ts';
import { type Column, hidden, type Listing, listedOf, tableOf, type Viewer } from './listing.ts';

/** A subject may hold the code. */
const withoutCode = ({ subject, code }: Email): string => (code ? subject.replaceAll(code, '••••••') : subject);

const COLUMNS = ({ isOwner }: Viewer): readonly Column<Email>[] => [
  { name: 'To', show: ({ to }) => (isOwner ? to : hidden) },
  { name: 'Subject', show: (email) => html`<strong>${isOwner ? email.subject : withoutCode(email)}</strong>` },
  { name: 'Code', show: ({ code }) => (isOwner ? html`<span class="mono">${code ?? 'none'}</span>` : hidden) },
  { name: 'Text', show: ({ text }) => (isOwner ? html`<div class="text">${text}</div>` : hidden) },
  { name: 'Sent', isWhole: true, show: ({ sent_at }) => time(sent_at) },
];

/** E-mails that were never sent, one-time codes among them. */
export const inbox: Listing = {
  id: 'inbox',
  title: 'Inbox',
  list: async (services, viewer, wanted) => {
    const ledger = await services.ledger();
    const part = await latestEmails(ledger, wanted);
    const table = tableOf(
      'E-mails',
      COLUMNS(viewer),
      part.rows,
      'No e-mail yet. The one-time codes of KYC arrive here.',
    );
    return listedOf(await countOf(ledger, 'inbox'), part, table);
  },
};
