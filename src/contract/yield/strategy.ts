import { anyText, flag, list, number, open, text } from '../fields.ts';
import { sources, tokenFields } from './shared.ts';

const rate = (description: string) =>
  open(
    { percent: number('Percent a year'), annualized: number('The same as a fraction: 3.06 percent is 0.0306') },
    description,
  ).nullable();

/** Rates of a strategy; providers leave some out. */
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

/** Document: Yield strategy. */
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

/** The answer to both lists of strategies. */
export const strategyList = open(
  { strategies: list(strategy, 'Strategies of all providers'), sources: sources },
  'Strategies',
  'StrategyList',
);
