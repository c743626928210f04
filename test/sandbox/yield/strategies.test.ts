import { expect, test } from 'vitest';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { opportunities as opportunitiesEndpoint } from '../../../src/contract/yield/opportunities.ts';
import { strategies as strategiesEndpoint } from '../../../src/contract/yield/strategies.ts';
import { digitsOf } from '../../../src/core/json.ts';
import { keyNamed } from '../../../src/sandbox/solana/address.ts';
import { makeVaults } from '../../../src/sandbox/solana/tokens.ts';
import { sharePrice, sharesFor, supplyRate, unitsOf, wholeRate } from '../../../src/sandbox/yield/rates.ts';
import { refusal, startYield } from './wallet.ts';

const HOUR = 3_600_000;

test('derives the addresses in the contract from the keys of the sandbox', () => {
  for (const [symbol, mint] of Object.entries(SANDBOX_SOLANA.mints))
    expect(keyNamed(`mint ${symbol}`).address).toBe(mint);
  for (const [name, vault] of Object.entries(SANDBOX_SOLANA.vaults))
    expect(keyNamed(`vault ${name}`).address).toBe(vault);
  expect(keyNamed('fees').address).toBe(SANDBOX_SOLANA.fees);
});

test('lists strategies of both providers, with null for the fields that a provider does not have', async () => {
  const { get } = await startYield();
  const { http, body } = await get('/yield/strategies');
  expect([http, body.status]).toEqual([200, 'get_yield_strategies_ok']);
  expect(strategiesEndpoint.success.get_yield_strategies_ok.data.safeParse(body.data).error).toBeUndefined();
  const { strategies, sources } = body.data;
  expect(strategies).toHaveLength(8);
  expect(sources).toEqual({
    provider_a: { ok: true, message: 'ok', count: 4 },
    provider_b: { ok: true, message: 'ok', count: 4 },
  });
  for (const strategy of strategies) {
    const { apy, risk, addresses, token, provider } = strategy;
    const fieldsOfA = [token.decimals, apy.total_with_rewards, apy.rewards_only, addresses.share_mint];
    const fieldsOfB = [apy.borrow, risk.max_ltv, addresses.reserve];
    const [present, absent] = provider === 'provider_a' ? [fieldsOfA, fieldsOfB] : [fieldsOfB, fieldsOfA];
    expect(present).not.toContain(null);
    expect(new Set(absent)).toEqual(new Set([null]));
    const market = addresses.reserve ?? addresses.market_or_vault;
    expect(strategy.strategy_id).toBe(`${provider}:${token.mint}:${market}`);
    expect(Number(apy.supply.percent) / 100).toBeCloseTo(Number(apy.supply.annualized), 6);
  }
});

test('lists strategies of one token in any case of letters, and none for an unknown token', async () => {
  const { get } = await startYield();
  const { body } = await get('/yield/strategies/usdc');
  expect(body.data.strategies.map(({ token }: { token: { symbol: string } }) => token.symbol)).toEqual([
    'USDC',
    'USDC',
  ]);
  const none = await get('/yield/strategies/DOGE');
  expect([none.http, none.body.data.strategies, none.body.data.sources.provider_a.count]).toEqual([200, [], 0]);
});

test('lists the provider with the higher rate as winner, with the spread, and changes the winner with the clock', async () => {
  const { get, advance } = await startYield();
  const winners = new Set<string>();
  for (let hour = 0; hour < 24; hour += 1) {
    const { body } = await get('/yield/rebalance-opportunities/USDC');
    expect(body.status).toBe('get_rebalance_opportunity_by_symbol_ok');
    for (const { winner, alternatives, apy_spread_percent } of body.data.opportunities) {
      const spread = Number(winner.apy_percent) - Number(alternatives[0].apy_percent);
      expect([spread > 0, spread.toFixed(2)]).toEqual([true, Number(digitsOf(apy_spread_percent)).toFixed(2)]);
      winners.add(winner.provider);
    }
    advance(HOUR);
  }
  expect(winners).toEqual(new Set(['provider_a', 'provider_b']));
  const all = await get('/yield/rebalance-opportunities');
  expect([all.http, all.body.status]).toEqual([200, 'get_rebalance_opportunities_ok']);
  const schema = opportunitiesEndpoint.success.get_rebalance_opportunities_ok.data;
  expect(schema.safeParse(all.body.data).error).toBeUndefined();
});

test('lists no strategies, and returns get_rebalance_opportunities_failed, while the chain is switched off', async () => {
  const { get, control } = await startYield();
  await control('POST', 'chain', { name: 'solana', enabled: false });
  const { body } = await get('/yield/strategies');
  expect([body.data.strategies, body.data.sources.provider_a.ok]).toEqual([[], false]);
  for (const path of ['/yield/rebalance-opportunities', '/yield/rebalance-opportunities/USDC']) {
    const failed = await get(path);
    expect([failed.http, failed.body.status, failed.body.data]).toEqual([
      502,
      'get_rebalance_opportunities_failed',
      { opportunities: [], sources: null },
    ]);
  }
});

test.each([
  ['provider', 'provider_c'],
  ['asset', 'DOGE'],
  ['wallet', 'x'],
  ['chain_name', 'base'],
  ['wallet', undefined],
])('params_mismatch: rejects earnings with %s %s', async (field, value) => {
  const { get } = await startYield();
  const right = { wallet: SANDBOX_SOLANA.fees, asset: 'USDC', provider: 'provider_a', chain_name: 'solana' };
  const entries = Object.entries({ ...right, [field]: value }).filter(([, text]) => text !== undefined);
  const answer = await get(`/yield/earnings?${new URLSearchParams(entries as [string, string][])}`);
  expect(refusal(answer)).toEqual([400, 'params_mismatch', field]);
  const noPosition = (await get(`/yield/earnings?${new URLSearchParams(right)}`)).body;
  expect([noPosition.status, noPosition.data.earnings]).toEqual([
    'get_earnings_position',
    [expect.objectContaining({ position_on_protocol: 0, earnings_status: 'ok', provider: 'provider_a' })],
  ]);
});

test('grows the share price by the average rate in a year, and converts units to shares and back exactly', () => {
  const start = Date.UTC(2027, 4, 3, 2, 1);
  for (const vault of makeVaults()) {
    const prices = [sharePrice(vault, start), sharePrice(vault, start + 365 * 24 * HOUR)].map(Number);
    const rates = Array.from({ length: 24 }, (_, hour) => wholeRate(vault, start + hour * HOUR) / 10_000);
    const growth = Math.exp(rates.reduce((sum, rate) => sum + Math.log(1 + rate), 0) / 24);
    expect((prices[1] ?? 0) / (prices[0] ?? 1)).toBeCloseTo(growth, 9);
    expect(new Set(rates).size).toBeGreaterThan(6);
    expect(supplyRate(vault, start)).toBe(supplyRate(vault, start + 24 * HOUR));
    const price = sharePrice(vault, start);
    for (const units of [1n, 3n, 999_999n, 10n ** 15n + 7n]) {
      expect(unitsOf(vault, sharesFor(vault, units, price), price)).toBe(units);
    }
  }
});
