import { decision } from '../../../contract/control/identity.ts';
import { latestUsers } from '../../ledger/latest.ts';
import { actForm } from '../acting/forms.ts';
import { email, type Html, html, type Mood, mark, mono, time } from '../html.ts';
import { type Column, hidden, listingOf, type Viewer } from './table.ts';

type User = Awaited<ReturnType<typeof latestUsers>>['rows'][number];

const MOODS: Readonly<Record<string, Mood>> = { approved: 'good', declined: 'bad', expired: 'bad' };

const moodOf = (status: string): Mood => MOODS[status] ?? 'wait';

/** The form that decides a user. It names the user by the e-mail address, or by the wallet for a user without one. */
const decideForm = ({ id, email: address, wallet }: User): Html =>
  actForm({
    id: 'identity.decide',
    button: 'Decide',
    fixed: address ? { email: address } : { wallet: wallet ?? '' },
    fields: [{ name: 'decision', label: 'Decision', choices: decision.options }],
    key: id,
  });

const COLUMNS = ({ isOwner, canAct }: Viewer): readonly Column<User>[] => [
  { name: 'E-mail', kind: 'email', show: (user) => (isOwner ? (email(user.email) ?? 'none') : hidden) },
  {
    name: 'Wallet',
    show: ({ wallet }) => (wallet === null ? 'none' : html`<span class="break">${mono(wallet)}</span>`),
  },
  { name: 'Status', show: ({ status }) => mark(moodOf(status), status) },
  { name: 'Blocklist', show: ({ is_blocklisted }) => (is_blocklisted === 1 ? mark('bad', 'listed') : 'no') },
  { name: 'Last session', show: ({ session }) => session ?? 'none' },
  { name: 'Since', kind: 'whole', show: ({ created_at }) => time(created_at) },
  ...(canAct ? [{ name: 'Act', show: decideForm }] : []),
];

const NONE = html`No user yet. <code>bursar kyc start</code> makes one.`;

/** The list of KYC users. */
export const kyc = listingOf(
  { title: 'KYC', none: NONE, caption: 'Users', filters: [{ name: 'search', label: 'Wallet or e-mail' }] },
  {
    table: 'kyc_users',
    latest: (ledger, { filter, ...page }, { isOwner }) => latestUsers(ledger, page, { ...filter, isOwner }),
  },
  COLUMNS,
);
