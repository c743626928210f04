import { SOLANA } from '../../contract/chains.ts';
import type { DataOf } from '../../contract/define.ts';
import type { opportunities as endpoint } from '../../contract/yield/opportunities.ts';
import { divideDecimals } from '../../core/decimal.ts';
import { exactNumber } from '../../core/json.ts';
import type { Services } from '../services.ts';
import { SOLANA_TOKENS, type Vault } from '../solana/tokens.ts';
import { PROTOCOL_NAMES, wholeRate } from './rates.ts';
import { isOff, sourcesOf, strategyId, vaultsFor } from './strategies.ts';

/** The documented data of the list. */
export type OpportunityList = DataOf<typeof endpoint, 'get_rebalance_opportunities_ok'>;

const percent = (hundredths: number) => exactNumber(divideDecimals(String(hundredths), '100', 2));

const routeOf = (vault: Vault, nowMs: number) => ({
  provider: vault.provider,
  protocol_display_name: PROTOCOL_NAMES[vault.provider],
  strategy_id: strategyId(vault),
  apy_percent: percent(wholeRate(vault, nowMs)),
});

/** Ranked by yield only; what yields the same everywhere is no opportunity. Document: Rebalance opportunity. */
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

/** Where tokens would yield more, of all or of one; `undefined` when it cannot be computed: the chain is switched off. */
export const listOpportunities = async (services: Services, symbol?: string): Promise<OpportunityList | undefined> => {
  if (await isOff(services, SOLANA)) return undefined;
  const solana = await services.solana();
  const vaults = vaultsFor(solana, symbol);
  const nowMs = services.clock.now();
  const markets = SOLANA_TOKENS.map((token) => vaults.filter((vault) => vault.token === token));
  const opportunities = markets.flatMap((market) => opportunityOf(market, nowMs));
  return { opportunities, sources: sourcesOf(vaults) };
};
