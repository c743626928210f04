import { SOLANA } from '../../../contract/chains.ts';
import { PROVIDERS } from '../../../contract/yield/providers.ts';
import { divideDecimals, fromUnits } from '../../../core/decimal.ts';
import { latestWallets } from '../../ledger/latest.ts';
import type { Services } from '../../services.ts';
import { MARKETS, type Offer, termsOf, wholeRate } from '../../yield/rates.ts';
import { type Html, html, mono } from '../html.ts';
import { type Column, hasText, isChosen, type Listing, noneOf, tableOf } from './table.ts';

const OFFERS: readonly Offer[] = Object.keys(MARKETS).flatMap((symbol) =>
  PROVIDERS.map((provider) => ({ provider, token: { symbol } })),
);

const percent = (hundredths: number): string => `${divideDecimals(String(hundredths), '100', 2)} %`;

const offerColumns = (nowMs: number): readonly Column<Offer>[] => [
  { name: 'Asset', kind: 'whole', show: ({ token }) => token.symbol },
  { name: 'Provider', kind: 'whole', show: ({ provider }) => provider },
  { name: 'Yield a year, now', kind: 'whole', show: (offer) => percent(wholeRate(offer, nowMs)) },
  { name: 'Of it rewards', kind: 'whole', show: (offer) => percent(termsOf(offer).rewards ?? 0) },
];

/** A position of a wallet with a provider. The amount is decimal text. */
type Position = Readonly<Record<'wallet' | 'provider' | 'asset' | 'amount', string>>;

const POSITION_COLUMNS: readonly Column<Position>[] = [
  { name: 'Wallet', show: ({ wallet }) => html`<span class="break">${mono(wallet)}</span>` },
  { name: 'Provider', kind: 'whole', show: ({ provider }) => provider },
  { name: 'Worth now', kind: 'whole', show: ({ amount, asset }) => `${amount} ${asset}` },
];

/** The list shows the positions of this number of the newest wallets. */
const MAX_WALLETS = 20;

/** The positions on the Solana chain; none while it does not run, because a page view starts no chain. */
const positionsOf = async (services: Services): Promise<readonly Position[]> => {
  if (!(await services.running()).includes(SOLANA)) return [];
  const [{ isSolanaKey, SOLANA_TOKENS }, { holdingOfWallet }] = await Promise.all([
    import('../../solana/tokens.ts'),
    import('../../yield/position.ts'),
  ]);
  const solana = await services.solana();
  const { wallets } = await latestWallets(await services.ledger(), MAX_WALLETS);
  const vaults = PROVIDERS.flatMap((provider) => SOLANA_TOKENS.map((token) => solana.vaultOf(provider, token)));
  return wallets.filter(isSolanaKey).flatMap((wallet) =>
    vaults.flatMap((vault): readonly Position[] => {
      const { units } = holdingOfWallet(solana, vault, wallet, services.clock.now());
      const { decimals, symbol } = vault.token;
      if (units === 0n) return [];
      return [{ wallet, provider: vault.provider, asset: symbol, amount: fromUnits(units, decimals) }];
    }),
  );
};

const offersView = (
  nowMs: number,
): Html => html`<section class="card" id="offers" data-live tabindex="-1" aria-labelledby="offers-name">
<h2 id="offers-name">Offers</h2>
${tableOf('Offers', offerColumns(nowMs), OFFERS, '', '')}
</section>`;

const NONE = html`No position. <code>bursar yield deposit</code> makes one.`;

/** The list of positions, with the offers of the providers above. */
export const yields: Listing = {
  id: 'yield',
  title: 'Yield',
  filters: [
    { name: 'provider', label: 'Provider', choices: PROVIDERS },
    { name: 'search', label: 'Wallet' },
  ],
  above: async ({ clock }) => offersView(clock.now()),
  list: async (services, _, { filter }) => {
    const positions = (await positionsOf(services)).filter(
      ({ provider, wallet }) => isChosen(provider, filter['provider']) && hasText(wallet, filter['search']),
    );
    const none = noneOf(filter, NONE);
    return { table: html`<h3>Positions</h3>${tableOf('Positions', POSITION_COLUMNS, positions, none, '')}` };
  },
};
