import { EVM_CHAINS, type EvmChain, SOLANA } from '../../../contract/chains.ts';
import { type Balance, balancesOn, balancesOnSolana } from '../../control/chains.ts';
import type { EventRow } from '../../ledger/events.ts';
import {
  countOf,
  latestEvents,
  latestOrders,
  latestPayments,
  latestWallets,
  type Part,
  type Wanted,
} from '../../ledger/latest.ts';
import type { EventState, Ledger } from '../../ledger/ledger.ts';
import type { OrderRow } from '../../ledger/orders.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { fieldsOf } from '../../orders/order.ts';
import { isEvmAddress, receiversOf } from '../../payments/receivers.ts';
import { TREASURY } from '../../payouts/worker.ts';
import type { Services } from '../../services.ts';
import { type Html, html, type Mood, mark, mono, moodOf, type Shown, time } from '../html.ts';

/** A viewer. Only the owner, who came by the link, sees personal data. */
export type Viewer = { readonly isOwner: boolean };

/** A column; a whole value is never broken into lines. */
export type Column<T> = { readonly name: string; readonly isWhole?: boolean; readonly show: (row: T) => Shown };

/** A list of the dashboard as a page shows it: its table, the number of all rows, and the key of the next page. */
export type Listed = { readonly count: number; readonly table: Html; readonly next: string | undefined };

/** A list of the dashboard; `list` reads one part of it. */
export type Listing = {
  readonly id: string;
  readonly title: string;
  readonly list: (services: Services, viewer: Viewer, wanted: Wanted) => Promise<Listed>;
};

/** Stands for a value that only the owner may see. */
export const hidden = html`<span class="quiet">hidden</span>`;

/** The roles are repeated: on a small screen rows become blocks, and browsers drop the roles of a table. */
export const tableOf = <T>(caption: string, columns: readonly Column<T>[], rows: readonly T[], none: Shown): Html => {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<table role="table"><caption class="unseen">${caption}, newest first</caption>
<thead role="rowgroup"><tr role="row">${columns.map(({ name }) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(
        ({ name, isWhole, show }) =>
          html`<td role="cell" data-name="${name}"${isWhole && html` class="whole"`}><div>${show(row)}</div></td>`,
      )}</tr>
`,
  )}</tbody></table>`;
};

/** Where rows of the ledger come from: their table, and the newest of them. */
type Source<T> = {
  readonly table: Parameters<typeof countOf>[1];
  readonly latest: (ledger: Ledger, wanted: Wanted) => Promise<Part<T>>;
};

/** Rows of the ledger as a list. `caption`: the title of its table, where it has another. */
export const listingOf = <T>(
  title: string,
  { table, latest }: Source<T>,
  columns: (viewer: Viewer) => readonly Column<T>[],
  none: Shown,
  caption = title,
): Listing => ({
  id: title.toLowerCase(),
  title,
  list: async (services, viewer, wanted) => {
    const ledger = await services.ledger();
    const { rows, next } = await latest(ledger, wanted);
    return { count: await countOf(ledger, table), table: tableOf(caption, columns(viewer), rows, none), next };
  },
});

/** A payment's id, with a link to its page. */
export const paymentLink = (id: string, where: string) =>
  html`<a class="id" id="${where}-${id}" href="/?payment=${encodeURIComponent(id)}">${id}</a>`;

const PAYMENT_COLUMNS = ({ isOwner }: Viewer): readonly Column<PaymentRow>[] => [
  { name: 'Payment', show: ({ id }) => paymentLink(id, 'payment') },
  { name: 'Status', show: ({ status }) => mark(moodOf(status), status) },
  { name: 'Type', isWhole: true, show: ({ transaction_type }) => transaction_type ?? 'none yet' },
  { name: 'From', isWhole: true, show: (row) => `${row.amount_from} ${row.from_currency_symbol}` },
  { name: 'To', isWhole: true, show: (row) => `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}` },
  { name: 'Payer', show: ({ payer_email }) => (isOwner ? payer_email || 'none yet' : hidden) },
  { name: 'Created', isWhole: true, show: ({ created_at }) => time(created_at) },
];

const NO_PAYMENT = html`No payment yet. <code>bursar demo</code> makes one.`;

const PAYMENTS = { table: 'payments', latest: latestPayments } as const;

export const payments = listingOf('Payments', PAYMENTS, PAYMENT_COLUMNS, NO_PAYMENT);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const amount = (row: OrderRow): string => {
  const fields = fieldsOf(row);
  return `${text(fields['amount_from'])} ${text(fields['from_currency_symbol'])}`;
};

const ORDER_COLUMNS = (): readonly Column<OrderRow>[] => [
  { name: 'Order', show: ({ id }) => mono(id) },
  { name: 'State', show: ({ active }) => (active === 1 ? mark('good', 'active') : mark('none', 'switched off')) },
  { name: 'Amount', isWhole: true, show: amount },
  { name: 'Receives', show: (row) => text(fieldsOf(row)['to_currency_symbol']) },
  { name: 'Paid', show: ({ gateway_method }) => (gateway_method === 'subs' ? 'as a subscription' : 'once') },
  { name: 'Created', isWhole: true, show: ({ created_at }) => time(created_at) },
];

const NO_ORDER = html`No order yet. <code>bursar order create</code> makes one.`;

export const orders = listingOf('Orders', { table: 'orders', latest: latestOrders }, ORDER_COLUMNS, NO_ORDER);

const MOODS: Readonly<Record<EventState, readonly [Mood, string]>> = {
  pending: ['wait', 'pending'],
  delivered: ['good', 'delivered'],
  failed: ['bad', 'given up'],
  not_sent: ['none', 'not sent'],
};

const answerOf = ({ last_http, last_answer, state }: EventRow): Shown => {
  if (last_http === null && last_answer === null) return state === 'not_sent' ? 'not allowed there' : 'none yet';
  return html`<span class="break">${last_http ?? 'no answer'}${last_answer && `: ${last_answer}`}</span>`;
};

/** A webhook and its delivery. */
export const EVENT_COLUMNS = ({ isOwner }: Viewer): readonly Column<EventRow>[] => [
  { name: 'Payment', show: ({ payment_id, seq }) => paymentLink(payment_id, `event-${seq}`) },
  { name: 'Status', isWhole: true, show: ({ payment_status }) => payment_status },
  { name: 'Delivery', show: ({ state }) => mark(...MOODS[state]) },
  { name: 'Tries', isWhole: true, show: ({ attempts }) => attempts },
  { name: 'To', show: ({ url }) => (isOwner ? url : hidden) },
  { name: 'Last answer', show: (row) => (isOwner ? answerOf(row) : (row.last_http ?? 'none yet')) },
  { name: 'Created', isWhole: true, show: ({ created_at }) => time(created_at) },
];

const EVENTS = { table: 'webhook_events', latest: latestEvents } as const;
const NO_EVENT = 'No webhook yet. One is sent when a payment changes its status.';

export const webhooks = listingOf('Webhooks', EVENTS, EVENT_COLUMNS, NO_EVENT);

/** Wallets of one chain that are shown, and payments in which they are looked for. */
const MAX_WALLETS = 6;
const MAX_PAYMENTS = 50;

type Row = {
  readonly chain: string;
  readonly wallet: string;
  readonly who: string;
  readonly balances: readonly Balance[];
};
type Wallet = Omit<Row, 'balances' | 'chain'>;

/** The wallets that paid or were paid on a chain, newest payments first, and the treasury. */
const walletsOn = async ({ name }: EvmChain, payments: readonly PaymentRow[]): Promise<readonly Wallet[]> => {
  const all = payments.flatMap((row): readonly Wallet[] => [
    ...(row.from_chain === name ? [{ wallet: row.payer_wallet, who: 'payer' }] : []),
    ...(row.to_chain === name ? receiversOf(row).map(({ wallet }) => ({ wallet, who: 'receiver' })) : []),
  ]);
  const distinct = [
    ...new Map(all.toReversed().map((each) => [each.wallet.toLowerCase(), each])).values(),
  ].toReversed();
  const isReal = await Promise.all(distinct.map(({ wallet }) => isEvmAddress(wallet)));
  const real = distinct.filter((_, at) => isReal[at]);
  return [...real.slice(0, MAX_WALLETS), { wallet: TREASURY, who: 'treasury' }];
};

const rowsOn = async (services: Services, chain: EvmChain, payments: readonly PaymentRow[]): Promise<readonly Row[]> =>
  Promise.all(
    (await walletsOn(chain, payments)).map(async (each) => ({
      ...each,
      chain: chain.name,
      balances: await balancesOn(services, chain, each.wallet),
    })),
  );

const rowsOnSolana = async (services: Services): Promise<readonly Row[]> => {
  const wallets = await latestWallets(await services.ledger(), MAX_WALLETS);
  const { makeFaucet } = await import('../../solana/genesis.ts');
  const faucet = makeFaucet().address;
  return Promise.all(
    wallets.map(async (wallet) => ({
      wallet,
      who: wallet === faucet ? 'faucet' : '',
      chain: SOLANA,
      balances: await balancesOnSolana(services, wallet),
    })),
  );
};

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Chain', show: ({ chain }) => chain },
  {
    name: 'Wallet',
    show: ({ wallet, who }) => html`<span class="mono break">${wallet}</span> <span class="quiet">${who}</span>`,
  },
  {
    name: 'Balances',
    show: ({ balances }) =>
      html`<span class="break">${balances.map(({ amount, symbol }) => `${amount} ${symbol}`).join(', ')}</span>`,
  },
];

const NONE = 'No chain runs. Each starts when it is first needed; looking starts none.';

/** Balances on the chains that run. One that ends while it is asked is left out. */
export const chains: Listing = {
  id: 'chains',
  title: 'Balances',
  list: async (services) => {
    const running = await services.running();
    const { rows: payments } = await latestPayments(await services.ledger(), { most: MAX_PAYMENTS });
    const asked = await Promise.allSettled([
      ...EVM_CHAINS.filter(({ name }) => running.includes(name)).map((chain) => rowsOn(services, chain, payments)),
      ...(running.includes(SOLANA) ? [rowsOnSolana(services)] : []),
    ]);
    const rows = asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    return { count: running.length, table: tableOf('Balances', COLUMNS, rows, NONE), next: undefined };
  },
};
