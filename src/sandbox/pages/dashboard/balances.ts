import { CHAIN_NAMES, EVM_CHAINS, type EvmChain, SOLANA } from '../../../contract/chains.ts';
import { type Balance, balancesOn, balancesOnSolana } from '../../control/chains.ts';
import { latestPayments, latestWallets } from '../../ledger/latest.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { isEvmAddress, receiversOf } from '../../payments/receivers.ts';
import { TREASURY } from '../../payouts/worker.ts';
import type { Services } from '../../services.ts';
import { actForm } from '../acting/forms.ts';
import { type Html, html } from '../html.ts';
import { type Column, hasText, isChosen, type Listing, noneOf, tableOf } from './table.ts';

/** The maximum number of shown wallets of a chain, and of payments that are searched for wallets. */
const MAX_WALLETS = 6;
const MAX_PAYMENTS = 50;

type Row = {
  readonly chain: string;
  readonly wallet: string;
  readonly who: string;
  readonly balances: readonly Balance[];
};
type Wallet = Omit<Row, 'balances' | 'chain'>;

/** The shown wallets of one chain with their balances, and the number of found wallets. */
type ChainPart = {
  readonly chain: string;
  readonly rows: readonly Row[];
  readonly shown: number;
  readonly total: number;
};

const OWN_WALLET = "the sandbox's own wallet: it pays receivers of the bridge, Pix and cards";
const FAUCET = "the sandbox's own wallet: it gives test money";

/** The distinct wallets of payers and receivers on a chain, newest payments first. */
const walletsOn = async ({ name }: EvmChain, payments: readonly PaymentRow[]): Promise<readonly Wallet[]> => {
  const all = payments.flatMap((row): readonly Wallet[] => [
    ...(row.from_chain === name ? [{ wallet: row.payer_wallet, who: 'payer' }] : []),
    ...(row.to_chain === name ? receiversOf(row).map(({ wallet }) => ({ wallet, who: 'receiver' })) : []),
  ]);
  const distinct = [
    ...new Map(all.toReversed().map((each) => [each.wallet.toLowerCase(), each])).values(),
  ].toReversed();
  const isReal = await Promise.all(distinct.map(({ wallet }) => isEvmAddress(wallet)));
  return distinct.filter((_, at) => isReal[at]);
};

const partOn = async (services: Services, chain: EvmChain, payments: readonly PaymentRow[]): Promise<ChainPart> => {
  const found = await walletsOn(chain, payments);
  const wallets = found.slice(0, MAX_WALLETS);
  const rows = await Promise.all(
    [...wallets, { wallet: TREASURY, who: OWN_WALLET }].map(async (each) => ({
      ...each,
      chain: chain.name,
      balances: await balancesOn(services, chain, each.wallet),
    })),
  );
  return { chain: chain.name, rows, shown: wallets.length, total: found.length };
};

const partOnSolana = async (services: Services): Promise<ChainPart> => {
  const { wallets, total } = await latestWallets(await services.ledger(), MAX_WALLETS);
  const { makeFaucet } = await import('../../solana/genesis.ts');
  const faucet = makeFaucet().address;
  const rows = await Promise.all(
    wallets.map(async (wallet) => ({
      wallet,
      who: wallet === faucet ? FAUCET : '',
      chain: SOLANA,
      balances: await balancesOnSolana(services, wallet),
    })),
  );
  return { chain: SOLANA, rows, shown: wallets.length, total };
};

/** A line about wallets that the table omits, with the command for any wallet; `false` for a complete table. */
const restView = (parts: readonly ChainPart[], hasOlder: boolean): Html | false => {
  const cut = parts.filter(({ shown, total }) => shown < total);
  if (cut.length === 0 && !hasOlder) return false;
  const counts = cut.map(({ chain, shown, total }) => `${chain}: showing ${shown} of ${total} wallets.`);
  return html`<p class="quiet small" id="balances-rest">${counts.join(' ')}${hasOlder && ` Wallets of EVM chains are those of the newest ${MAX_PAYMENTS} payments.`}
<code>bursar sandbox balance ADDRESS</code> shows any wallet.</p>`;
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

const FUND_FORM = actForm({
  id: 'chain.fund',
  button: 'Give test money',
  fields: [
    { name: 'address', label: 'EVM or Solana address' },
    { name: 'chain', label: 'Chain', choices: CHAIN_NAMES, isOptional: true },
    { name: 'token', label: 'Token or coin', isOptional: true },
    { name: 'amount', label: 'Amount', isOptional: true },
  ],
});

/** The balances on the running chains. A chain that fails to answer is omitted. */
export const chains: Listing = {
  id: 'chains',
  title: 'Balances',
  filters: [
    { name: 'chain', label: 'Only this chain', choices: CHAIN_NAMES },
    { name: 'search', label: 'Wallet' },
  ],
  above: async (_, { canAct }) => canAct && html`<div class="card">${FUND_FORM}</div>`,
  list: async (services, _, { filter }) => {
    const running = await services.running();
    const { rows: payments, next } = await latestPayments(await services.ledger(), { limit: MAX_PAYMENTS });
    const results = await Promise.allSettled([
      ...EVM_CHAINS.filter(({ name }) => running.includes(name)).map((chain) => partOn(services, chain, payments)),
      ...(running.includes(SOLANA) ? [partOnSolana(services)] : []),
    ]);
    const parts = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const rows = parts
      .flatMap((part) => part.rows)
      .filter(({ chain, wallet }) => isChosen(chain, filter['chain']) && hasText(wallet, filter['search']));
    const table = tableOf('Balances', COLUMNS, rows, noneOf(filter, NONE));
    return { table: html`${table}${restView(parts, next !== undefined && parts.length > 0)}` };
  },
};
