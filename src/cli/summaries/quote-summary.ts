import { listAt, textAt, valueAt } from '../../core/json.ts';
import type { Fact, Summary } from '../../output/summary.ts';

/** The other way round, as the service tells it. */
const reversed = (quote: unknown, from: string): string | undefined => {
  const rate = listAt(quote, 'rates').find((one) => textAt(one, 'from') !== from);
  return textAt(rate, 'description');
};

const legs = (quote: unknown): readonly Fact[] =>
  listAt(quote, 'route', 'legs').map((leg, at) => [
    at === 0 ? 'by way of' : '',
    [textAt(leg, 'symbol'), textAt(leg, 'price')].join(' '),
  ]);

const conversion = (worth: unknown): string => {
  const [amount, from, of, to] = ['amount', 'from', 'worth', 'to'].map((name) => textAt(worth, name));
  return `${amount} ${from} ${valueAt(worth, 'is_exact') === false ? '≈' : '='} ${of} ${to}`;
};

/** A quote, and with an amount what that is worth, both ways. */
export const quoteSummary = (quote: unknown): Summary | undefined => {
  const [from, to] = [textAt(quote, 'requested', 'from'), textAt(quote, 'requested', 'to')];
  const price = textAt(quote, 'requested', 'price');
  if (from === undefined || to === undefined || price === undefined) return undefined;
  const worth = valueAt(quote, 'worth');
  const message = `1 ${from} = ${price} ${to}`;
  return {
    tone: 'good',
    headline: worth === undefined ? message : conversion(worth),
    facts: [
      ['price', worth === undefined ? undefined : message],
      ['reverse', worth === undefined ? reversed(quote, from) : conversion(valueAt(worth, 'reverse'))],
      ...legs(quote),
      ['source', textAt(quote, 'source')],
    ],
  };
};
