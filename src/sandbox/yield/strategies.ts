import { SOLANA } from '../../contract/chains.ts';
import type { DataOf } from '../../contract/define.ts';
import type { opportunities } from '../../contract/yield/opportunities.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';
import type { strategies } from '../../contract/yield/strategies.ts';
import { divideDecimals, fromUnits, multiplyDecimals } from '../../core/decimal.ts';
import { exactNumber } from '../../core/json.ts';
import { readDisabledChains } from '../ledger/settings.ts';
import type { Services } from '../services.ts';
import type { Solana } from '../solana/solana.ts';
import { SOLANA_TOKENS, tokensOf, type Vault } from '../solana/tokens.ts';
import { MARKETS, PROTOCOL_NAMES, supplyRate, termsOf, wholeRate } from './rates.ts';

/** The documented data of the list of strategies. */
export type StrategyList = DataOf<typeof strategies, 'get_yield_strategies_ok'>;
type Strategy = StrategyList['strategies'][number];
/** For each provider: whether it answered, and the number of its strategies. */
export type Sources = StrategyList['sources'];

const percent = (hundredths: number) => exactNumber(divideDecimals(String(hundredths), '100', 2));

/** Converts hundredths of a percent to the document's form of a rate: percent, and a fraction. */
const rate = (hundredths: number) => ({
  percent: percent(hundredths),
  annualized: exactNumber(divideDecimals(String(hundredths), '10000', 4)),
});

/** Document: `<provider>:<token_mint>:<market_or_reserve_address>`. */
export const strategyId = ({ provider, token, market }: Vault): string => `${provider}:${token.mint}:${market}`;

const liquidityOf = (solana: Solana, vault: Vault): Strategy['liquidity'] => {
  const units = tokensOf(solana.chain, vault.authority.address, vault.token.mint);
  const usd = multiplyDecimals(fromUnits(units, vault.token.decimals), MARKETS[vault.token.symbol]?.usd ?? '0');
  const { lent } = termsOf(vault);
  const share = (percent: number) => exactNumber(divideDecimals(multiplyDecimals(usd, String(percent)), '100', 2));
  return {
    tvl_usd: share(100 - (lent ?? 0)),
    total_supply_usd: share(100),
    total_borrow_usd: lent === undefined ? null : share(lent),
  };
};

const apyOf = (vault: Vault, nowMs: number): Strategy['apy'] => {
  const { rewards, spread } = termsOf(vault);
  const supply = supplyRate(vault, nowMs);
  return {
    supply: rate(supply),
    total_with_rewards: rewards === undefined ? null : rate(supply + rewards),
    rewards_only: rewards === undefined ? null : rate(rewards),
    borrow: spread === undefined ? null : rate(supply + spread),
  };
};

/** One strategy. Each provider fills the fields that the document observed for it; the others are `null`. */
const strategyOf = (solana: Solana, vault: Vault, nowMs: number): Strategy => {
  const isA = vault.provider === 'provider_a';
  const { maxLtv } = termsOf(vault);
  return {
    strategy_id: strategyId(vault),
    provider: vault.provider,
    protocol_display_name: PROTOCOL_NAMES[vault.provider],
    product_type: 'lending',
    enabled: true,
    token: { symbol: vault.token.symbol, mint: vault.token.mint, decimals: isA ? vault.token.decimals : null },
    apy: apyOf(vault, nowMs),
    risk: {
      max_ltv: maxLtv === undefined ? null : exactNumber(divideDecimals(String(maxLtv), '100', 2)),
      max_ltv_percent: maxLtv ?? null,
    },
    liquidity: liquidityOf(solana, vault),
    addresses: {
      market_or_vault: isA ? vault.market : vault.authority.address,
      reserve: isA ? null : vault.market,
      share_mint: vault.shareMint ?? null,
    },
  };
};

/** Whether a chain is switched off by `sandbox chain`. */
export const isOff = async (services: Services, chain: string): Promise<boolean> =>
  (await readDisabledChains(await services.ledger())).includes(chain);

/** The vaults of one token, or of all tokens without a symbol. */
export const vaultsFor = (solana: Solana, symbol: string | undefined): readonly Vault[] =>
  solana.vaults.filter(({ token }) => symbol === undefined || token.symbol === symbol.toUpperCase());

/** The sources if all providers answered. */
export const sourcesOf = (vaults: readonly Vault[]): Sources =>
  Object.fromEntries(
    PROVIDERS.map((provider) => {
      const count = vaults.filter((vault) => vault.provider === provider).length;
      return [provider, { ok: true, message: 'ok', count }];
    }),
  );

const switchedOffSources = (): Sources =>
  Object.fromEntries(PROVIDERS.map((each) => [each, { ok: false, message: `${SOLANA} is switched off`, count: 0 }]));

/** All strategies, or those of one token. If the chain is switched off, no provider answers. */
export const listStrategies = async (services: Services, symbol?: string): Promise<StrategyList> => {
  if (await isOff(services, SOLANA)) return { strategies: [], sources: switchedOffSources() };
  const solana = await services.solana();
  const nowMs = services.clock.now();
  const vaults = vaultsFor(solana, symbol);
  return { strategies: vaults.map((vault) => strategyOf(solana, vault, nowMs)), sources: sourcesOf(vaults) };
};

/** The documented data of the opportunities. */
export type OpportunityList = DataOf<typeof opportunities, 'get_rebalance_opportunities_ok'>;

const routeOf = (vault: Vault, nowMs: number) => ({
  provider: vault.provider,
  protocol_display_name: PROTOCOL_NAMES[vault.provider],
  strategy_id: strategyId(vault),
  apy_percent: percent(wholeRate(vault, nowMs)),
});

/** The opportunity of one token, ranked by yield only; none if the yields are equal. Document: Rebalance opportunity. */
const opportunityOf = (vaults: readonly Vault[], nowMs: number): OpportunityList['opportunities'] => {
  const [winner, ...others] = vaults.toSorted((a, b) => wholeRate(b, nowMs) - wholeRate(a, nowMs));
  const [second] = others;
  if (!winner || !second) return [];
  const spread = wholeRate(winner, nowMs) - wholeRate(second, nowMs);
  if (spread === 0) return [];
  return [
    {
      token: { symbol: winner.token.symbol, mint: winner.token.mint },
      route_winner: `${second.provider} -> ${winner.provider}`,
      winner: routeOf(winner, nowMs),
      alternatives: others.map((vault) => routeOf(vault, nowMs)),
      apy_spread_percent: percent(spread),
    },
  ];
};

/** The opportunities of all tokens, or of one; `undefined` if the chain is switched off. */
export const listOpportunities = async (services: Services, symbol?: string): Promise<OpportunityList | undefined> => {
  if (await isOff(services, SOLANA)) return undefined;
  const solana = await services.solana();
  const vaults = vaultsFor(solana, symbol);
  const nowMs = services.clock.now();
  const markets = SOLANA_TOKENS.map((token) => vaults.filter((vault) => vault.token === token));
  const opportunities = markets.flatMap((market) => opportunityOf(market, nowMs));
  return { opportunities, sources: sourcesOf(vaults) };
};
