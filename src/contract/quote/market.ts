import { defineEndpoint } from '../define.ts';
import { anyText, list, marketSymbol, open, text } from '../fields.ts';
import { isPresent, type Rule, requiredWith, worded } from '../rules.ts';

const rate = open(
  {
    from: text('Asset whose price it is'),
    to: text('Asset that the price is in'),
    price: text('Price of one'),
    description: anyText('The price in words'),
  },
  'One price',
  'QuoteRate',
);

const leg = open(
  { symbol: text('Pair of the leg'), price: text('Price of the leg'), source: text('Exchange that answered') },
  'One leg of a cross rate',
  'QuoteLeg',
);

// not shown: the empty fields of a cross rate, and of a pair with only a symbol.
const exchange = open(
  {
    symbol: anyText('Pair as the exchange writes it').nullish(),
    base: anyText('Asset whose price it is').nullish(),
    quote: anyText('Asset that the price is in').nullish(),
    meaning: anyText('What the price means').nullish(),
  },
  'The pair at the exchange',
);

const requested = open(
  {
    from: anyText('Asset whose price was asked').nullish(),
    to: anyText('Asset that the price is in').nullish(),
    price: anyText('The price that was asked').nullish(),
    description: anyText('The price in words').nullish(),
  },
  'What was asked',
);

/** A quote. Direct pairs have `market` and `rates`; cross rates have `route`. Document: Market quote. */
export const quoteData = open(
  {
    symbol: anyText('Pair as the exchange writes it').nullable(),
    price: text('Quote asset for one base asset'),
    source: text('Exchange that answered'),
    exchange,
    requested,
    market: open({ symbol: text('Pair'), price: text('Its price') }, 'The direct pair').nullish(),
    rates: list(rate, 'The price both ways').nullish(),
    route: open(
      {
        type: text('Kind of route; via_usdt'),
        intermediary: text('Asset in between'),
        from: text('Asset at the start'),
        to: text('Asset at the end'),
        legs: list(leg, 'The legs of the route'),
      },
      'The route of a cross rate',
    ).nullish(),
  },
  'The quote',
  'Quote',
);

/** The quote of a direct pair, for examples. */
export const EXAMPLE_QUOTE = {
  symbol: 'ETHUSDT',
  price: '3200',
  source: 'exchange_a',
  exchange: { symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT', meaning: 'USDT for one ETH' },
  requested: { from: 'ETH', to: 'USDT', price: '3200', description: '1 ETH = 3200 USDT' },
  market: { symbol: 'ETHUSDT', price: '3200' },
  rates: [
    { from: 'ETH', to: 'USDT', price: '3200', description: '1 ETH = 3200 USDT' },
    { from: 'USDT', to: 'ETH', price: '0.0003125', description: '1 USDT = 0.0003125 ETH' },
  ],
};

const ASKING = ['from', 'to', 'pair', 'try_one', 'try_two'];

const asksSomething: Rule = {
  ...worded((name) => {
    const [from, to, pair, one, two] = ['from', 'to', 'pair', 'try_one', 'try_two'].map(name);
    return `${from} and ${to}, or ${pair}, or ${one} and ${two}`;
  }),
  check: (input) =>
    ASKING.some((field) => isPresent(input[field]))
      ? []
      : [{ field: 'from', message: 'from and to, or pair, or try_one and try_two are required', isMissing: true }],
};

/** Reads a spot price. Document: GET /quote/market. */
export const market = defineEndpoint({
  id: 'quote.market',
  method: 'GET',
  path: '/quote/market',
  summary: 'Quote the spot price of a pair',
  effect: 'reads',
  query: {
    from: marketSymbol('Asset whose price is asked'),
    to: marketSymbol('Asset that the price is in'),
    pair: marketSymbol('Pair as an exchange writes it, such as BTCUSDT'),
    try_one: marketSymbol('Pair that is tried first'),
    try_two: marketSymbol('Pair that is tried second, the other way round'),
  },
  rules: [
    asksSomething,
    requiredWith('from', ['to']),
    requiredWith('to', ['from']),
    requiredWith('try_one', ['try_two']),
    requiredWith('try_two', ['try_one']),
  ],
  invalid: 'params_mismatch',
  success: { quote_ok: { http: 200, data: quoteData, example: EXAMPLE_QUOTE } },
  errors: { unauthorized: 401, params_mismatch: 400, pair_not_found: 400 },
  example: { from: 'ETH', to: 'USDT' },
});
