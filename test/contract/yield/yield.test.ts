import { describe, expect, it } from 'vitest';
import { broadcast } from '../../../src/contract/yield/broadcast.ts';
import { deposit } from '../../../src/contract/yield/deposit.ts';
import { earnings } from '../../../src/contract/yield/earnings.ts';
import { opportunities } from '../../../src/contract/yield/opportunities.ts';
import { rebalance } from '../../../src/contract/yield/rebalance.ts';
import { strategies, strategiesOf } from '../../../src/contract/yield/strategies.ts';
import { withdraw } from '../../../src/contract/yield/withdraw.ts';
import { parseJson } from '../../../src/core/json.ts';
import { type InputCase, testInputs } from '../cases.ts';

const requiredFields = (...fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 'required']));

for (const endpoint of [deposit, withdraw]) {
  testInputs(endpoint, endpoint.example, [
    {
      title: 'accepts any provider name, because live deployments name their own providers',
      changes: { provider: 'some-protocol' },
    },
    { title: 'rejects an amount as a number', changes: { amount: 25 }, problems: { amount: /written as text/ } },
    { title: 'rejects a negative amount', changes: { amount: '-25' }, problems: { amount: /decimal such as/ } },
    {
      title: 'names every missing field',
      changes: { provider: undefined, chain_name: undefined, asset: undefined, wallet: undefined, amount: undefined },
      problems: requiredFields('provider', 'chain_name', 'asset', 'wallet', 'amount'),
    },
  ]);
}

const BASE = { chain_name: 'solana', amount: '1', wallet: 'w', asset: 'USDC' };
const LEGS = { provider_out: 'provider_a', provider_in: 'provider_b' };

const aliasCase = (field: string, name: string): InputCase => ({
  title: `accepts ${name} in place of ${field}`,
  changes: { ...LEGS, [field]: undefined, [name]: 'x' },
});

testInputs(rebalance, BASE, [
  { title: 'accepts provider_out and provider_in', changes: LEGS },
  { title: 'accepts one provider for both legs', changes: { provider: 'provider_a' } },
  {
    title: 'accepts a leg that is the same as provider',
    changes: { provider: 'provider_a', provider_in: 'provider_a' },
  },
  aliasCase('wallet', 'signer'),
  aliasCase('asset', 'symbol'),
  aliasCase('asset', 'token_mint'),
  aliasCase('asset', 'mint'),
  {
    title: 'requires a wallet',
    changes: { ...LEGS, wallet: undefined },
    problems: { wallet: 'at least one of wallet, signer is required' },
  },
  {
    title: 'requires an asset',
    changes: { ...LEGS, asset: undefined },
    problems: { asset: /at least one of asset, symbol/ },
  },
  {
    title: 'requires a provider',
    changes: {},
    problems: { provider: 'provider, or both provider_out and provider_in are required' },
  },
  {
    title: 'requires provider_in with provider_out',
    changes: { provider_out: 'a' },
    problems: { provider_in: 'required with the other leg' },
  },
  {
    title: 'requires provider_out with provider_in',
    changes: { provider_in: 'a' },
    problems: { provider_out: 'required with the other leg' },
  },
  {
    title: 'rejects a provider together with different legs',
    changes: { provider: 'provider_a', ...LEGS },
    problems: { provider_in: 'must be the same as provider, or be left out' },
  },
  { title: 'accepts a small amount', changes: { ...LEGS, amount: '0.000001' } },
  ...['1e1', ' 5 ', '+5', '.5', '5.', '1E-2', '5e0', '\t25\n'].map((amount) => ({
    title: `accepts the amount ${JSON.stringify(amount)} unchanged`,
    changes: { ...LEGS, amount },
  })),
  ...['0', '0.0', '0.000000', '0e5', ' 0.0E1 '].map((amount) => ({
    title: `rejects the amount ${amount}`,
    changes: { ...LEGS, amount },
    problems: { amount: 'must be greater than zero' },
  })),
  ...['-1', 'Infinity', 'NaN', '1e', 'e1', '.', '', '1 0', '1,5', '1_000', '0x10', '1e1.5'].map((amount) => ({
    title: `rejects the amount "${amount}"`,
    changes: { ...LEGS, amount },
    problems: { amount: 'must be a decimal such as 10, 10.50 or 1e1' },
  })),
  ...['1e400', '1e-400', '1e120', `${'1'.repeat(101)}`].map((amount) => ({
    title: `rejects an amount that is too long: ${amount}`,
    changes: { ...LEGS, amount },
    problems: { amount: 'is too long for an amount' },
  })),
]);

const SIGNED = 'AQIDBA==';
const missingCase = (
  title: string,
  op_signed: unknown,
  problems: InputCase['problems'] = { op_signed: /base64/ },
): InputCase => ({
  title,
  changes: { op_signed },
  problems: problems ?? {},
  status: 'signed_transaction_missing',
});

testInputs(broadcast, { chain_name: 'solana' }, [
  { title: 'accepts one signed transaction', changes: { op_signed: SIGNED } },
  { title: 'accepts a list of one', changes: { op_signed: [SIGNED] } },
  { title: 'accepts a list of two', changes: { op_signed: [SIGNED, SIGNED] } },
  missingCase('requires a signed transaction', undefined, { op_signed: 'required' }),
  missingCase('rejects an empty list', []),
  {
    title: 'rejects three signed transactions',
    changes: { op_signed: [SIGNED, SIGNED, SIGNED] },
    problems: { op_signed: /one or two/ },
    status: 'invalid_parameters',
  },
  missingCase('rejects an empty text', '', { op_signed: 'must not be empty' }),
  missingCase('rejects null', null),
  missingCase('rejects a text that is not base64', '<signed>'),
  missingCase('rejects incomplete base64', 'AQIDBA='),
  missingCase('rejects a list with a number', [SIGNED, 7]),
  {
    title: 'requires a chain',
    changes: { chain_name: undefined, op_signed: SIGNED },
    problems: { chain_name: 'required' },
    status: 'invalid_parameters',
  },
]);

testInputs(earnings, {}, [
  { title: 'accepts the example', changes: earnings.example },
  {
    title: 'names every missing field',
    changes: {},
    problems: requiredFields('wallet', 'asset', 'provider', 'chain_name'),
  },
]);

testInputs(strategiesOf, {}, [
  { title: 'accepts a symbol', changes: { asset_symbol: 'USDC.e' } },
  {
    title: 'rejects a symbol that points to another path',
    changes: { asset_symbol: '..' },
    problems: { asset_symbol: /must not hold/ },
  },
]);

describe('the schemas of yield responses', () => {
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

  it('accept a strategy with the null fields of each provider', () => {
    const other = {
      ...strategy,
      token: { ...strategy.token, decimals: null },
      apy: { supply: apy, total_with_rewards: null, rewards_only: null, borrow: apy },
      risk: { max_ltv: 0.8, max_ltv_percent: 80 },
      addresses: { market_or_vault: 'v', reserve: 'r', share_mint: null },
    };
    expect(list.parse({ strategies: [strategy, other], sources }).strategies).toEqual([strategy, other]);
  });

  it('reject a strategy without an id or with a rate as text', () => {
    expect(list.safeParse({ strategies: [{ ...strategy, strategy_id: null }], sources }).success).toBe(false);
    const wrong = { ...strategy, apy: { ...strategy.apy, supply: { percent: '3', annualized: 0.03 } } };
    expect(list.safeParse({ strategies: [wrong], sources }).success).toBe(false);
  });

  it('accept opportunities without sources and reject null opportunities', () => {
    const { data } = opportunities.success.get_rebalance_opportunities_ok;
    expect(data.safeParse({ opportunities: [], sources: null }).success).toBe(true);
    expect(data.safeParse({ opportunities: null, sources: null }).success).toBe(false);
  });

  it('accept a deposit without a fee', () => {
    expect(deposit.success.deposit_yield_strategy_ok.data.safeParse({ transaction: SIGNED }).success).toBe(true);
  });

  it.each([
    ['one transaction', { mode: 'single_transaction', transaction: SIGNED }],
    ['a list under the same name', { mode: 'dual_transaction', transaction: [SIGNED, SIGNED] }],
    [
      'a list under a name that the document does not show',
      { mode: 'dual_transaction', transactions: [SIGNED, SIGNED] },
    ],
  ])('accept a rebalance as %s', (_, data) => {
    expect(rebalance.success.rebalance_yield_strategy_ok.data.parse(data)).toEqual(data);
  });

  it('accept a position that the service could not read', () => {
    const entry = { provider: 'p', asset: 'USDC', wallet: 'w', chain_name: 'solana', position_on_protocol: 0 };
    const { data } = earnings.success.get_earnings_position;
    expect(
      data.safeParse({ earnings: [{ ...entry, earnings_status: 'rpc_failed', earnings_details: null }] }).success,
    ).toBe(true);
  });
});
