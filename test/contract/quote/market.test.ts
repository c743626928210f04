import { describe, expect, it } from 'vitest';
import { market } from '../../../src/contract/quote/market.ts';
import { testInputs } from '../cases.ts';

const SYMBOL = /letters, digits/;

testInputs(market, {}, [
  { title: 'accepts from and to', changes: { from: 'ETH', to: 'USDT' } },
  { title: 'accepts a pair', changes: { pair: 'ETHUSDT' } },
  { title: 'accepts try_one with try_two', changes: { try_one: 'ETHUSDT', try_two: 'USDTETH' } },
  {
    title: 'accepts several forms of a pair at once, because the document states no precedence',
    changes: { from: 'A', to: 'B', pair: 'AB' },
  },
  {
    title: 'requires a pair in one of its forms',
    changes: {},
    problems: { from: 'from and to, or pair, or try_one and try_two are required' },
  },
  { title: 'requires to with from', changes: { from: 'ETH' }, problems: { to: 'required with from' } },
  { title: 'requires from with to', changes: { to: 'ETH' }, problems: { from: 'required with to' } },
  { title: 'requires try_two with try_one', changes: { try_one: 'A' }, problems: { try_two: 'required with try_one' } },
  { title: 'requires try_one with try_two', changes: { try_two: 'A' }, problems: { try_one: 'required with try_two' } },
  { title: 'accepts every character that a ticker may have', changes: { pair: 'aZ09._-' } },
  { title: 'accepts a pair of 64 characters', changes: { pair: 'A'.repeat(64) } },
  { title: 'rejects a pair of 65 characters', changes: { pair: 'A'.repeat(65) }, problems: { pair: SYMBOL } },
  ...['A B', 'A/B', 'Ä', 'A\n', 'A%', '\u0410'].map((pair) => ({
    title: `rejects the pair ${JSON.stringify(pair)}`,
    changes: { pair },
    problems: { pair: SYMBOL },
  })),
  {
    title: 'rejects an empty pair, and reports one problem for the pair',
    changes: { pair: '' },
    problems: { pair: 'must not be empty', from: /are required/ },
  },
]);

describe('the response of quote market', () => {
  const { data } = market.success.quote_ok;
  const meaning = { symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT', meaning: 'USDT for one ETH' };
  const requested = { from: 'ETH', to: 'USDT', price: '3000.10', description: '1 ETH is 3000.10 USDT' };

  it('may be a direct quote with rates in both directions', () => {
    const rates = [requested, { from: 'USDT', to: 'ETH', price: '0.00033', description: 'd' }];
    const direct = {
      symbol: 'ETHUSDT',
      price: '3000.10',
      source: 'one',
      exchange: meaning,
      requested: requested,
      rates,
    };
    expect(data.parse({ ...direct, market: { symbol: 'ETHUSDT', price: '3000.10' } })).toMatchObject(direct);
  });

  it('may be a cross rate without a symbol', () => {
    const legs = [{ symbol: 'ETHUSDT', price: '3000', source: 'one' }];
    const route = { type: 'via_usdt', intermediary: 'USDT', from: 'ETH', to: 'SOL', legs };
    const exchange = { ...meaning, symbol: null };
    expect(
      data.safeParse({ symbol: null, price: '20.5', source: 'one', exchange, requested: requested, route }).success,
    ).toBe(true);
  });

  it('is rejected when the price is a number, which would lose digits', () => {
    expect(
      data.safeParse({ symbol: null, price: 3000.1, source: 'one', exchange: meaning, requested: requested }).success,
    ).toBe(false);
  });
});
