import { defineEndpoint } from '../define.ts';
import { anyText, flag, list, number, open, text } from '../fields.ts';
import { assetSymbol, EXAMPLE_MINT, EXAMPLE_SOURCES, sources, tokenFields } from './shared.ts';

const rate = (description: string) =>
  open(
    { percent: number('Percent a year'), annualized: number('The same as a fraction: 3.06 percent is 0.0306') },
    description,
  ).nullable();

/** The rates of a strategy. Providers omit some of them. */
const apy = open(
  {
    supply: rate('Yield of the deposit alone'),
    total_with_rewards: rate('Yield with rewards'),
    rewards_only: rate('Yield of the rewards alone'),
    borrow: rate('Cost of borrowing'),
  },
  'Annual percentage yields',
  'Apy',
);

const risk = open(
  {
    max_ltv: number('Most that can be borrowed of the value, as a fraction').nullable(),
    max_ltv_percent: number('The same in percent').nullable(),
  },
  'Risk of the strategy',
  'Risk',
);

const liquidity = open(
  {
    tvl_usd: number('Value locked, in USD'),
    total_supply_usd: number('Supplied, in USD'),
    total_borrow_usd: number('Borrowed, in USD').nullable(),
  },
  'Liquidity of the strategy',
  'Liquidity',
);

const addresses = open(
  {
    market_or_vault: text('Market or vault'),
    reserve: text('Reserve').nullable(),
    share_mint: text('Mint of the shares').nullable(),
  },
  'Accounts of the strategy on its chain',
  'StrategyAddresses',
);

/** A strategy. Document: Yield strategy. */
const strategy = open(
  {
    strategy_id: text('Id: provider, token mint and market, joined by colons'),
    provider: text('Provider of the strategy'),
    protocol_display_name: anyText('Name of the protocol'),
    product_type: anyText('Kind of product, such as lending or staking'),
    enabled: flag('Whether it can be used'),
    token: open({ ...tokenFields, decimals: number('Decimals of the token').nullable() }, 'Token that is deposited'),
    apy,
    risk,
    liquidity,
    addresses,
  },
  'One strategy',
  'Strategy',
);

/** The data of both lists of strategies. */
export const strategyList = open(
  { strategies: list(strategy, 'Strategies of all providers'), sources: sources },
  'Strategies',
  'StrategyList',
);

/** A strategy of each provider without the fields that the provider omits. Document: Observed provider differences. */
export const EXAMPLE_STRATEGIES = {
  strategies: [
    {
      strategy_id: `provider_a:${EXAMPLE_MINT}:9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D`,
      provider: 'provider_a',
      protocol_display_name: 'Provider A',
      product_type: 'lending',
      enabled: true,
      token: { symbol: 'USDC', mint: EXAMPLE_MINT, decimals: 6 },
      apy: {
        supply: { percent: 3.06, annualized: 0.0306 },
        total_with_rewards: { percent: 3.31, annualized: 0.0331 },
        rewards_only: { percent: 0.25, annualized: 0.0025 },
        borrow: null,
      },
      risk: { max_ltv: null, max_ltv_percent: null },
      liquidity: { tvl_usd: 1200000, total_supply_usd: 1200000, total_borrow_usd: null },
      addresses: {
        market_or_vault: '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D',
        reserve: null,
        share_mint: 'B8V6WVjPxW1UGwVDfxH2d2r8SyT4cqn7dQRK6XneVa7D',
      },
    },
    {
      strategy_id: `provider_b:${EXAMPLE_MINT}:7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF`,
      provider: 'provider_b',
      protocol_display_name: 'Provider B',
      product_type: 'lending',
      enabled: true,
      token: { symbol: 'USDC', mint: EXAMPLE_MINT, decimals: null },
      apy: {
        supply: { percent: 4.21, annualized: 0.0421 },
        total_with_rewards: null,
        rewards_only: null,
        borrow: { percent: 6.1, annualized: 0.061 },
      },
      risk: { max_ltv: 0.8, max_ltv_percent: 80 },
      liquidity: { tvl_usd: 900000, total_supply_usd: 2400000, total_borrow_usd: 1500000 },
      addresses: {
        market_or_vault: '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF',
        reserve: 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
        share_mint: null,
      },
    },
  ],
  sources: EXAMPLE_SOURCES,
};

/** Lists all strategies. Document: GET /yield/strategies. */
export const strategies = defineEndpoint({
  id: 'yield.strategies',
  method: 'GET',
  path: '/yield/strategies',
  summary: 'List yield strategies',
  effect: 'reads',
  success: { get_yield_strategies_ok: { http: 200, data: strategyList, example: EXAMPLE_STRATEGIES } },
  errors: { unauthorized: 401 },
  example: {},
});

/** Lists the strategies of one token. Document: GET /yield/strategies/{asset_symbol}. */
export const strategiesOf = defineEndpoint({
  id: 'yield.strategies-of',
  method: 'GET',
  path: '/yield/strategies/{asset_symbol}',
  summary: 'List yield strategies of one token',
  effect: 'reads',
  params: assetSymbol,
  invalid: 'invalid_parameters',
  success: { get_yield_strategies_ok: { http: 200, data: strategyList, example: EXAMPLE_STRATEGIES } },
  errors: { unauthorized: 401, invalid_parameters: 400 },
  example: { asset_symbol: 'USDC' },
});
