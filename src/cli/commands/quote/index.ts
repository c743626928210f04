import { call, type Input } from '../../../client/call.ts';
import { market } from '../../../contract/quote/market.ts';
import { isDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { isDryRun } from '../../argv/command-line.ts';
import { derive } from '../../command/derive.ts';
import { type Argument, isWatched, type ParsedArgs, stringArg, watchOptions } from '../../command/options.ts';

const asset = (name: string, question: string, example: string): Argument => ({
  name,
  question,
  description: question,
  isOptional: true,
  example,
  sandboxValue: example,
});

const amountIn = (given: ParsedArgs): string | undefined => {
  const amount = stringArg(given, 'amount');
  if (amount === undefined || isDecimal(amount)) return amount;
  throw new Failure('invalid_input', `--amount: "${amount.slice(0, 40)}" is not a decimal amount, such as 10 or 10.50`);
};

/** Adds to a quote what the amount of --amount is worth. */
const withWorth = async (data: unknown, amount: string | undefined): Promise<unknown> => {
  if (amount === undefined) return data;
  const { worthAt } = await import('../../../flows/quote/worth.ts');
  return { ...(isJsonObject(data) ? data : {}), worth: worthAt(data, amount) };
};

const PAIR_FIELDS = [['from', 'to'], ['pair'], ['try_one', 'try_two']];

/** The service silently ignores all but one way to name the pair, so it could quote another pair. */
const assertOnePair = (input: Input): void => {
  const used = PAIR_FIELDS.filter((fields) => fields.some((field) => input[field] !== undefined));
  if (used.length < 2) return;
  throw new Failure('invalid_input', 'nothing was sent: give FROM and TO, or --pair, or --try-one and --try-two', {
    errors: used.slice(1).map(([field = '']) => ({ field, message: 'names a second pair' })),
  });
};

/** Seconds between two calls. */
const INTERVAL = '5';

const ABOUT = [
  '--watch repeats the call until Ctrl-C, the end of --timeout, or the close of the pipe.',
  'A terminal shows one line and updates it.',
  'A pipe gets one line for each call: time in UTC, from, to, price, source and, with --amount, the worth.',
  'With --json each line is {at, ...} with the whole quote, or {at, error} for a failed call.',
  'Without --json a failed call prints nothing on stdout and one message on stderr.',
  'In a pipe, five calls without any price end the watch with the error of the last call.',
];

/** `quote`. */
export const quote = derive(market, {
  words: ['quote'],
  about: ABOUT,
  arguments: {
    from: asset('FROM', 'Asset to price', 'BTC'),
    to: asset('TO', 'Asset of the price', 'USDT'),
  },
  options: [
    {
      flag: '--amount',
      value: 'A',
      description: 'Also show what amount A is worth at the quote, in both directions, as exact decimals',
    },
    ...watchOptions('Repeat the call until Ctrl-C or the end of --timeout', INTERVAL),
  ],
  noEnvelopeWith: ['amount'],
  rows: 'worth',
  summary: async (data) => (await import('../../summaries/quote-summary.ts')).quoteSummary(data),
  complete: async (cli, given, input) => {
    const amount = amountIn(given);
    assertOnePair(input);
    if (!isWatched(given) || isDryRun(cli)) return input;
    const { watchQuote } = await import('./watch.ts');
    await watchQuote(cli, given, INTERVAL, { input, enriched: (data) => withWorth(data, amount) });
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
