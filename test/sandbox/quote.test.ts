import { expect, test } from 'vitest';
import { market } from '../../src/contract/quote/market.ts';
import { multiplyDecimals } from '../../src/core/decimal.ts';
import { BOOKS } from '../../src/sandbox/quote/price.ts';
import { startEphemeral } from './sandbox.ts';

const start = async () => {
  const { get } = await startEphemeral();
  return async (query: string) => {
    const seen = await get(`/quote/market?${query}`);
    if (seen.http === 200) market.success.quote_ok.data.parse(seen.body.data);
    return seen.body;
  };
};

test('a listed pair is answered as its exchange lists it, with rates both ways', async () => {
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

test('a pair that is listed the other way round is turned round', async () => {
  const quote = await start();
  const { data } = await quote('from=BRL&to=USDT');
  expect(data).toMatchObject({ symbol: 'USDTBRL', price: '5.25', requested: { from: 'BRL', to: 'USDT' } });
  expect(data.requested.price).toBe('0.190476190476190476');
});

test('a pair without a market goes through USDT, each leg in the orientation that is listed', async () => {
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

test('the second exchange answers for what the first does not list', async () => {
  const quote = await start();
  expect((await quote('pair=EURUSDT')).data).toMatchObject({ price: '1.08', source: 'exchange_b' });
});

test('legacy pairs are tried in their order', async () => {
  const quote = await start();
  expect((await quote('pair=BTCUSDT')).data).toMatchObject({ symbol: 'BTCUSDT', price: '64000' });
  const { data } = await quote('try_one=BRLUSDT&try_two=USDTBRL');
  expect(data).toMatchObject({ symbol: 'USDTBRL', requested: { from: 'USDT', to: 'BRL', price: '5.25' } });
});

test('both errors of the document', async () => {
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

test('no book contradicts the quote: ETH and SOL have no market of their own anywhere', () => {
  const names = BOOKS.flatMap(({ markets }) => markets.map(({ base, quote }) => base + quote));
  expect(names).not.toContain('ETHSOL');
  expect(names).not.toContain('SOLETH');
});
