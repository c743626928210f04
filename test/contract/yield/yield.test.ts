import { describe, expect, it } from 'vitest';
import { broadcast } from '../../../src/contract/yield/broadcast.ts';
import { deposit } from '../../../src/contract/yield/deposit.ts';
import { earnings } from '../../../src/contract/yield/earnings.ts';
import { opportunities } from '../../../src/contract/yield/opportunities.ts';
import { rebalance } from '../../../src/contract/yield/rebalance.ts';
import { strategies, strategiesOf } from '../../../src/contract/yield/strategies.ts';
import { withdraw } from '../../../src/contract/yield/withdraw.ts';
import { parseJson } from '../../../src/core/json.ts';
import { type Case, holds } from '../cases.ts';

const required = (...fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 'required']));

for (const endpoint of [deposit, withdraw]) {
  holds(endpoint, endpoint.example, [
    { when: 'takes the name that a live deployment gives its provider', given: { provider: 'some-protocol' } },
    { when: 'refuses an amount as a number', given: { amount: 25 }, wrong: { amount: /written as text/ } },
    { when: 'refuses a negative amount', given: { amount: '-25' }, wrong: { amount: /decimal such as/ } },
    {
      when: 'names what is missing',
      given: { provider: undefined, chain_name: undefined, asset: undefined, wallet: undefined, amount: undefined },
      wrong: required('provider', 'chain_name', 'asset', 'wallet', 'amount'),
    },
  ]);
}

const BASE = { chain_name: 'solana', amount: '1', wallet: 'w', asset: 'USDC' };
const LEGS = { provider_out: 'provider_a', provider_in: 'provider_b' };

const alias = (of: string, name: string): Case => ({
  when: `takes ${name} for ${of}`,
  given: { ...LEGS, [of]: undefined, [name]: 'x' },
});

holds(rebalance, BASE, [
  { when: 'takes two legs', given: LEGS },
  { when: 'takes one provider for both legs', given: { provider: 'provider_a' } },
  { when: 'takes a leg that says the same as provider', given: { provider: 'provider_a', provider_in: 'provider_a' } },
  alias('wallet', 'signer'),
  alias('asset', 'symbol'),
  alias('asset', 'token_mint'),
  alias('asset', 'mint'),
  {
    when: 'needs a wallet',
    given: { ...LEGS, wallet: undefined },
    wrong: { wallet: 'at least one of wallet, signer is required' },
  },
  { when: 'needs an asset', given: { ...LEGS, asset: undefined }, wrong: { asset: /at least one of asset, symbol/ } },
  {
    when: 'needs a provider',
    given: {},
    wrong: { provider: 'provider, or both provider_out and provider_in are required' },
  },
  {
    when: 'needs the other leg: in',
    given: { provider_out: 'a' },
    wrong: { provider_in: 'required with the other leg' },
  },
  {
    when: 'needs the other leg: out',
    given: { provider_in: 'a' },
    wrong: { provider_out: 'required with the other leg' },
  },
  {
    when: 'refuses a provider and other legs',
    given: { provider: 'provider_a', ...LEGS },
    wrong: { provider_in: 'must be the same as provider, or be left out' },
  },
  { when: 'takes a small amount', given: { ...LEGS, amount: '0.000001' } },
  ...['1e1', ' 5 ', '+5', '.5', '5.', '1E-2', '5e0', '\t25\n'].map((amount) => ({
    when: `takes the amount ${JSON.stringify(amount)} as it is`,
    given: { ...LEGS, amount },
  })),
  ...['0', '0.0', '0.000000', '0e5', ' 0.0E1 '].map((amount) => ({
    when: `refuses the amount ${amount}`,
    given: { ...LEGS, amount },
    wrong: { amount: 'must be greater than zero' },
  })),
  ...['-1', 'Infinity', 'NaN', '1e', 'e1', '.', '', '1 0', '1,5', '1_000', '0x10', '1e1.5'].map((amount) => ({
    when: `refuses the amount "${amount}"`,
    given: { ...LEGS, amount },
    wrong: { amount: 'must be a decimal such as 10, 10.50 or 1e1' },
  })),
  ...['1e400', '1e-400', '1e120', `${'1'.repeat(101)}`].map((amount) => ({
    when: `refuses an amount that nobody can have: ${amount}`,
    given: { ...LEGS, amount },
    wrong: { amount: 'is too long for an amount' },
  })),
]);

const SIGNED = 'AQIDBA==';
const missing = (when: string, op_signed: unknown, wrong: Case['wrong'] = { op_signed: /base64/ }): Case => ({
  when,
  given: { op_signed },
  wrong: wrong ?? {},
  status: 'signed_transaction_missing',
});

holds(broadcast, { chain_name: 'solana' }, [
  { when: 'takes one', given: { op_signed: SIGNED } },
  { when: 'takes a list of one', given: { op_signed: [SIGNED] } },
  { when: 'takes a list of two', given: { op_signed: [SIGNED, SIGNED] } },
  missing('refuses none', undefined, { op_signed: 'required' }),
  missing('refuses an empty list', []),
  {
    when: 'refuses three, of which none is missing',
    given: { op_signed: [SIGNED, SIGNED, SIGNED] },
    wrong: { op_signed: /one or two/ },
    status: 'invalid_parameters',
  },
  missing('refuses an empty text', '', { op_signed: 'must not be empty' }),
  missing('refuses null', null),
  missing('refuses what is no base64', '<signed>'),
  missing('refuses base64 that was cut', 'AQIDBA='),
  missing('refuses a list with something else', [SIGNED, 7]),
  {
    when: 'needs a chain',
    given: { chain_name: undefined, op_signed: SIGNED },
    wrong: { chain_name: 'required' },
    status: 'invalid_parameters',
  },
]);

holds(earnings, {}, [
  { when: 'takes the example', given: earnings.example },
  { when: 'names what is missing', given: {}, wrong: required('wallet', 'asset', 'provider', 'chain_name') },
]);

holds(strategiesOf, {}, [
  { when: 'takes a symbol', given: { asset_symbol: 'USDC.e' } },
  {
    when: 'refuses a symbol that leads elsewhere',
    given: { asset_symbol: '..' },
    wrong: { asset_symbol: /must not hold/ },
  },
]);

describe('answers of yield', () => {
  const apy = { percent: parseJson('3.060'), annualized: 0.0306 };
  const strategy = {
    strategy_id: 'provider_a:mint:market',
    provider: 'provider_a',
    protocol_display_name: 'A',
    product_type: 'lending',
    enabled: true,
    token: { symbol: 'USDC', mint: 'm', decimals: 6 },
    apy: { supply: apy, total_with_rewards: apy, rewards_only: apy, borrow: null },
    risk: { max_ltv: null, max_ltv_percent: null },
    liquidity: { tvl_usd: parseJson('12345678901234567.89'), total_supply_usd: 1, total_borrow_usd: null },
    addresses: { market_or_vault: 'v', reserve: null, share_mint: 's' },
  };
  const sources = { provider_a: { ok: true, message: '', count: 1 }, other: { ok: false, message: 'down', count: 0 } };
  const list = strategies.success.get_yield_strategies_ok.data;

  it('takes the nulls that each provider leaves', () => {
    const other = {
      ...strategy,
      token: { ...strategy.token, decimals: null },
      apy: { supply: apy, total_with_rewards: null, rewards_only: null, borrow: apy },
      risk: { max_ltv: 0.8, max_ltv_percent: 80 },
      addresses: { market_or_vault: 'v', reserve: 'r', share_mint: null },
    };
    expect(list.parse({ strategies: [strategy, other], sources }).strategies).toEqual([strategy, other]);
  });

  it('sees a strategy without an id or a rate that is text', () => {
    expect(list.safeParse({ strategies: [{ ...strategy, strategy_id: null }], sources }).success).toBe(false);
    const wrong = { ...strategy, apy: { ...strategy.apy, supply: { percent: '3', annualized: 0.03 } } };
    expect(list.safeParse({ strategies: [wrong], sources }).success).toBe(false);
  });

  it('takes opportunities without sources', () => {
    const { data } = opportunities.success.get_rebalance_opportunities_ok;
    expect(data.safeParse({ opportunities: [], sources: null }).success).toBe(true);
    expect(data.safeParse({ opportunities: null, sources: null }).success).toBe(false);
  });

  it('takes a deposit for which no fee is configured', () => {
    expect(deposit.success.deposit_yield_strategy_ok.data.safeParse({ transaction: SIGNED }).success).toBe(true);
  });

  it.each([
    ['one transaction', { mode: 'single_transaction', transaction: SIGNED }],
    ['a list under the same name', { mode: 'dual_transaction', transaction: [SIGNED, SIGNED] }],
    ['a list under a name that is not shown', { mode: 'dual_transaction', transactions: [SIGNED, SIGNED] }],
  ])('takes a rebalance as %s', (_, data) => {
    expect(rebalance.success.rebalance_yield_strategy_ok.data.parse(data)).toEqual(data);
  });

  it('takes a position that could not be read', () => {
    const entry = { provider: 'p', asset: 'USDC', wallet: 'w', chain_name: 'solana', position_on_protocol: 0 };
    const { data } = earnings.success.get_earnings_position;
    expect(
      data.safeParse({ earnings: [{ ...entry, earnings_status: 'rpc_failed', earnings_details: null }] }).success,
    ).toBe(true);
  });
});
