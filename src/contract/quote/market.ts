import { defineEndpoint } from '../define.ts';
import { text } from '../fields.ts';
import { isPresent, type Rule, requiredWith, worded } from '../rules.ts';
import { EXAMPLE_QUOTE, quoteData } from './answer.ts';

/** Limits of the document: letters, digits, `.`, `_`, `-`; at most 64 characters. */
const symbol = (description: string) =>
  text(description)
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be letters, digits, ".", "_" or "-", at most 64')
    .describe(description)
    .optional();

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

/** Asks for a spot price. Document: GET /quote/market. */
export const market = defineEndpoint({
  id: 'quote.market',
  method: 'GET',
  path: '/quote/market',
  summary: 'Quote the spot price of a pair',
  effect: 'reads',
  query: {
    from: symbol('Asset whose price is asked'),
    to: symbol('Asset that the price is in'),
    pair: symbol('Pair as an exchange writes it, such as BTCUSDT'),
    try_one: symbol('Pair that is tried first'),
    try_two: symbol('Pair that is tried second, the other way round'),
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
