import { expect, test } from 'vitest';
import { market } from '../../src/contract/quote/market.ts';
import { multiplyDecimals } from '../../src/core/decimal.ts';
import { BOOKS } from '../../src/sandbox/quote/price.ts';
import { startEphemeral } from './sandbox.ts';

const start = async () => {
  const { get } = await startEphemeral();
  return async (query: string) => {
    const answer = await get(`/quote/market?${query}`);
    if (answer.http === 200) market.success.quote_ok.data.parse(answer.body.data);
    return answer.body;
  };
};

test('quotes a listed pair with its market, and rates in both directions', async () => {
  const quote = await start();
  const { status, data } = await quote('from=ETH&to=USDT');
  expect(status).toBe('quote_ok');
  expect(data).toMatchObject({
    symbol: 'ETHUSDT',
    price: '3200',
    source: 'exchange_a',
    market: { symbol: 'ETHUSDT', price: '3200' },
    requested: { from: 'ETH', to: 'USDT', price: '3200' },
    rates: [
      { from: 'ETH', to: 'USDT', price: '3200' },
      { from: 'USDT', to: 'ETH', price: '0.0003125' },
    ],
  });
  expect(data.route).toBeUndefined();
});

test('quotes a pair that is listed in the opposite direction by the inverse price', async () => {
  const quote = await start();
  const { data } = await quote('from=BRL&to=USDT');
  expect(data).toMatchObject({ symbol: 'USDTBRL', price: '5.25', requested: { from: 'BRL', to: 'USDT' } });
  expect(data.requested.price).toBe('0.190476190476190476');
});

test('quotes a pair without a market via USDT, each leg in its listed direction', async () => {
  const quote = await start();
  const { data } = await quote('from=ETH&to=SOL');
  expect(data).toMatchObject({
    symbol: null,
    price: '20',
    route: {
      type: 'via_usdt',
      intermediary: 'USDT',
      from: 'ETH',
      to: 'SOL',
      legs: [
        { symbol: 'ETHUSDT', price: '3200', source: 'exchange_a' },
        { symbol: 'SOLUSDT', price: '160', source: 'exchange_a' },
      ],
    },
  });
  expect(data.market).toBeUndefined();
  const toFiat = await quote('from=LTC&to=BRL');
  expect(toFiat.data).toMatchObject({ price: multiplyDecimals('84.5', '5.25'), source: 'exchange_b+exchange_a' });
});

test('quotes a pair from the second exchange when the first does not list it', async () => {
  const quote = await start();
  expect((await quote('pair=EURUSDT')).data).toMatchObject({ price: '1.08', source: 'exchange_b' });
});

test('tries legacy pairs in their order', async () => {
  const quote = await start();
  expect((await quote('pair=BTCUSDT')).data).toMatchObject({ symbol: 'BTCUSDT', price: '64000' });
  const { data } = await quote('try_one=BRLUSDT&try_two=USDTBRL');
  expect(data).toMatchObject({ symbol: 'USDTBRL', requested: { from: 'USDT', to: 'BRL', price: '5.25' } });
});

test('returns params_mismatch for malformed queries, and pair_not_found for pairs without a quote', async () => {
  const quote = await start();
  for (const query of [
    '',
    'from=ETH',
    'to=ETH',
    'from=E%20T&to=USDT',
    'from=ETH&from=BTC&to=USDT',
    `pair=${'a'.repeat(65)}`,
  ]) {
    expect([query, (await quote(query)).status]).toEqual([query, 'params_mismatch']);
  }
  for (const query of ['from=NOPE&to=USDT', 'from=USDT&to=USDT', 'from=ETH&to=ETH', 'pair=ETHSOL', 'pair=USDTETH']) {
    expect([query, (await quote(query)).status]).toEqual([query, 'pair_not_found']);
  }
});

test('lists no direct market of ETH and SOL, which the test of a route needs', () => {
  const names = BOOKS.flatMap(({ markets }) => markets.map(({ base, quote }) => base + quote));
  expect(names).not.toContain('ETHSOL');
  expect(names).not.toContain('SOLETH');
});
