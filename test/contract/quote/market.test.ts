import { describe, expect, it } from 'vitest';
import { market } from '../../../src/contract/quote/market.ts';
import { holds } from '../cases.ts';

const SYMBOL = /letters, digits/;

holds(market, {}, [
  { when: 'takes from and to', given: { from: 'ETH', to: 'USDT' } },
  { when: 'takes a pair', given: { pair: 'ETHUSDT' } },
  { when: 'takes two orientations', given: { try_one: 'ETHUSDT', try_two: 'USDTETH' } },
  { when: 'takes all ways at once: the document sets no order', given: { from: 'A', to: 'B', pair: 'AB' } },
  { when: 'refuses nothing', given: {}, wrong: { from: 'from and to, or pair, or try_one and try_two are required' } },
  { when: 'from needs to', given: { from: 'ETH' }, wrong: { to: 'required with from' } },
  { when: 'to needs from', given: { to: 'ETH' }, wrong: { from: 'required with to' } },
  { when: 'try_one needs try_two', given: { try_one: 'A' }, wrong: { try_two: 'required with try_one' } },
  { when: 'try_two needs try_one', given: { try_two: 'A' }, wrong: { try_one: 'required with try_two' } },
  { when: 'takes every character that a ticker may have', given: { pair: 'aZ09._-' } },
  { when: 'takes 64 characters', given: { pair: 'A'.repeat(64) } },
  { when: 'refuses 65', given: { pair: 'A'.repeat(65) }, wrong: { pair: SYMBOL } },
  ...['A B', 'A/B', 'Ä', 'A\n', 'A%', '\u0410'].map((pair) => ({
    when: `refuses ${JSON.stringify(pair)}`,
    given: { pair },
    wrong: { pair: SYMBOL },
  })),
  {
    when: 'refuses an empty pair, and says so once',
    given: { pair: '' },
    wrong: { pair: 'must not be empty', from: /are required/ },
  },
]);

describe('a quote', () => {
  const { data } = market.success.quote_ok;
  const meaning = { symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT', meaning: 'USDT for one ETH' };
  const asked = { from: 'ETH', to: 'USDT', price: '3000.10', description: '1 ETH is 3000.10 USDT' };

  it('is direct, with rates both ways', () => {
    const rates = [asked, { from: 'USDT', to: 'ETH', price: '0.00033', description: 'd' }];
    const direct = { symbol: 'ETHUSDT', price: '3000.10', source: 'one', exchange: meaning, requested: asked, rates };
    expect(data.parse({ ...direct, market: { symbol: 'ETHUSDT', price: '3000.10' } })).toMatchObject(direct);
  });

  it('is a cross rate, which has no symbol', () => {
    const legs = [{ symbol: 'ETHUSDT', price: '3000', source: 'one' }];
    const route = { type: 'via_usdt', intermediary: 'USDT', from: 'ETH', to: 'SOL', legs };
    const exchange = { ...meaning, symbol: null };
    expect(
      data.safeParse({ symbol: null, price: '20.5', source: 'one', exchange, requested: asked, route }).success,
    ).toBe(true);
  });

  it('has a price as text: a number would lose digits', () => {
    expect(
      data.safeParse({ symbol: null, price: 3000.1, source: 'one', exchange: meaning, requested: asked }).success,
    ).toBe(false);
  });
});
