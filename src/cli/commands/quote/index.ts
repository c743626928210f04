import { call } from '../../../client/call.ts';
import { market } from '../../../contract/quote/market.ts';
import { isDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import type { Body } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { type Argument, boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { isDryRun } from '../../print/dry-run.ts';

// The descriptions have an example.
const FROM: Argument = {
  name: 'FROM',
  description: 'Asset to price, such as BTC',
  isOptional: true,
  example: undefined,
};
const TO: Argument = {
  name: 'TO',
  description: 'Asset to price it in, such as USDT',
  isOptional: true,
  example: undefined,
};

const amountIn = (given: ParsedArgs): string | undefined => {
  const amount = stringArg(given, 'amount');
  if (amount === undefined || isDecimal(amount)) return amount;
  throw new Failure('invalid_input', `--amount: "${amount.slice(0, 40)}" is not a decimal amount, such as 10 or 10.50`);
};

/** What the service says, and with --amount what that comes to. */
const withWorth = async (data: unknown, amount: string | undefined): Promise<unknown> => {
  if (amount === undefined) return data;
  const { worthAt } = await import('../../../flows/quote/worth.ts');
  return { ...(isJsonObject(data) ? data : {}), worth: worthAt(data, amount) };
};

const WAYS = [['from', 'to'], ['pair'], ['try_one', 'try_two']];

/** The service takes one of the ways to ask and says nothing of the others, so that the answer is of another pair. */
const assertOneWay = (input: Body): void => {
  const used = WAYS.filter((fields) => fields.some((field) => input[field] !== undefined));
  if (used.length < 2) return;
  throw new Failure(
    'invalid_input',
    'nothing was sent: FROM and TO, or --pair, or --try-one and --try-two, not several',
    {
      errors: used.slice(1).map(([field = '']) => ({ field, message: 'says another pair beside it' })),
    },
  );
};

const ABOUT = [
  '--watch asks again until Ctrl-C, the end of --timeout, or until the reader of a pipe goes away. A terminal gets one line that is drawn again.',
  'A pipe gets a line for each look, whether the price has changed or not: the time in UTC, from, to, price, source and, with --amount, the worth. With --json that is {at, ...} with all of the quote, or {at, error} where a look failed; without, a failed look has no line, and is told on stderr once. After five looks in a pipe without any price it ends as the last of them did.',
];

const plain = derive(market, {
  words: ['quote'],
  arguments: { from: FROM, to: TO },
  options: [
    {
      flag: '--amount',
      value: 'A',
      description: 'Also what so much is worth at the quote, both ways, in exact decimals',
    },
    { flag: '--watch', description: 'Ask again and again, until Ctrl-C or the end of --timeout' },
    { flag: '--every', value: 'SECONDS', usual: '5', description: 'With --watch: how often' },
  ],
  noEnvelopeWith: ['amount'],
  rows: 'worth',
  card: async (data) => (await import('../../summaries/quote-summary.ts')).quoteCard(data),
  complete: async (cli, given, input) => {
    const amount = amountIn(given);
    assertOneWay(input);
    if (!boolArg(given, 'watch')) {
      if (given['every'] !== undefined) throw new Failure('usage', '--every: it says how often --watch asks');
      return input;
    }
    if (isDryRun(cli)) return input;
    const { watchQuote } = await import('./watch.ts');
    await watchQuote(cli, given, input, (data) => withWorth(data, amount));
    return undefined;
  },
  fetch: async (cli, given, input) => {
    const envelope = await call(await cli.client(), market, input);
    return { ...envelope, data: await withWorth(envelope.data, amountIn(given)) };
  },
  examples: [
    'quote BTC USDT',
    'quote BTC USDT --amount 0.25',
    'quote ETH SOL --json --fields price',
    'quote --pair BTCUSDT',
    'quote BTC USDT --watch --every 2 --json',
  ],
});

/** `quote`. */
export const quote: Command = { ...plain, about: ABOUT };
