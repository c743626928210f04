import { type Client, call, checkInput, type Input } from '../../../client/call.ts';
import { market } from '../../../contract/quote/market.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { isJsonObject, textAt } from '../../../core/json.ts';
import { escapeText, prefixThatFits, widthOf } from '../../../core/text.ts';
import { isPassing } from '../../../flows/read-back.ts';
import { renderTsv, selectFields } from '../../../output/render.ts';
import type { CommandContext } from '../../command/command.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { documentLine, drawsInPlace, isLimited, repeatStep } from '../../print/watch.ts';

/** Without --timeout a watch has no deadline, so each call gets its own. */
const clientForCall = (client: Client, isLimited: boolean): Client =>
  isLimited ? client : { ...client, deadline: client.io.clock.monotonic() + 30_000 };

const priceIn = (data: unknown): string => {
  const { price, requested } = isJsonObject(data) ? data : {};
  const inRequestedOrder = isJsonObject(requested) ? requested['price'] : undefined;
  return typeof inRequestedOrder === 'string' ? inRequestedOrder : String(price ?? '');
};

type Watch = {
  readonly input: Input;
  readonly enriched: (data: unknown) => Promise<unknown>;
  readonly isLimited: boolean;
};

/** Reads the quote once. A temporary error becomes part of the result; a lasting one is thrown and ends the watch. */
const readQuote = async (cli: CommandContext, watch: Watch, last: QuoteReading | undefined): Promise<QuoteReading> => {
  const client = clientForCall(await cli.client(), watch.isLimited);
  const at = () => new Date(cli.io.clock.now()).toISOString();
  try {
    const data = await watch.enriched((await call(client, market, watch.input)).data);
    return { at: at(), data, price: priceIn(data) };
  } catch (error) {
    if (!isFailure(error) || !isPassing(error)) throw error;
    return { at: at(), data: last?.data, price: last?.price ?? '', error };
  }
};

/** Calls without a price before a watch in a pipe ends: its reader still waits for a first line. */
const MAX_CALLS_WITHOUT_PRICE = 5;

/** A watch that never read a price ends with its last error. With --json a line has already shown that error. */
const assertHasPrice = ({ price, error }: QuoteReading, isPrinted: boolean): void => {
  if (!error || price !== '') return;
  throw withDetails(error, isPrinted ? { isPrinted: true } : {});
};

/** With less time left, a call that --timeout ends is no error of the service. */
const MIN_CALL_MS = 2_000;

/** Shows a quote repeatedly until the user, the reader of stdout, or --timeout ends it. */
export const watchQuote = async (
  cli: CommandContext,
  given: ParsedArgs,
  interval: string,
  { input: typed, enriched }: Pick<Watch, 'input' | 'enriched'>,
) => {
  const { io, globals } = cli;
  if (globals.envelope) {
    throw new Failure('usage', '--watch cannot print an --envelope', { hint: 'Use --json.' });
  }
  const watch = { input: checkInput(market, typed), enriched, isLimited: isLimited(given) };
  const output = drawsInPlace(cli) ? drawing(cli) : streaming(cli);
  let calls = 0;
  let last = undefined as QuoteReading | undefined;
  try {
    await repeatStep(cli, given, interval, async (left) => {
      calls += 1;
      const isLate = left() < MIN_CALL_MS;
      const reading = await readQuote(cli, watch, last);
      if (reading.error && isLate && left() <= 0 && last?.price) return 'end';
      await output.show(reading, last);
      last = reading;
      const lacksPrice = reading.price === '' && calls >= MAX_CALLS_WITHOUT_PRICE && !io.stdout.isTerminal;
      return lacksPrice ? 'end' : 'next';
    });
    if (last) assertHasPrice(last, globals.json);
  } finally {
    await output.end();
  }
};

/** The result of one call. After an error, `data` and `price` are those of the last successful call. */
type QuoteReading = {
  readonly at: string;
  readonly data: unknown;
  readonly price: string;
  readonly error?: Failure;
};

type WatchOutput = {
  readonly show: (reading: QuoteReading, last: QuoteReading | undefined) => Promise<void>;
  readonly end: () => Promise<void>;
};

const rowOf = ({ at, data, price }: QuoteReading) => {
  const worth = textAt(data, 'worth', 'worth') ?? '';
  return {
    at,
    from: textAt(data, 'requested', 'from') ?? '',
    to: textAt(data, 'requested', 'to') ?? '',
    price,
    source: textAt(data, 'source') ?? '',
    ...(worth && { worth }),
  };
};

const documentOf = ({ at, data, error }: QuoteReading): unknown => {
  if (error) return { at, error: { code: error.code, status: error.details.status, message: error.message } };
  return { at, ...(isJsonObject(data) ? data : {}) };
};

const printedLine = async (cli: CommandContext, reading: QuoteReading): Promise<string> => {
  const { json, fields } = cli.globals;
  if (!json) return renderTsv(fields ? selectFields([rowOf(reading)], fields) : [rowOf(reading)]);
  return documentLine(cli, documentOf(reading), reading.error ? undefined : fields);
};

/**
 * A pipe gets a line for each call, because only a write reveals that its reader is gone. With --json errors are lines
 * too. A terminal that cannot redraw, such as one with a screen reader, gets a line for each change.
 */
const streaming = (cli: CommandContext): WatchOutput => ({
  show: async (reading, last) => {
    const { error } = reading;
    if (error && !last?.error && !cli.globals.json) await cli.printNote(`no quote: ${escapeText(error.sentence)}`);
    const isChange = !last || reading.price !== last.price || !cli.io.stdout.isTerminal;
    if (cli.globals.json || (isChange && !error)) await cli.io.stdout.write(await printedLine(cli, reading));
  },
  end: async () => undefined,
});

const lineOf = (reading: QuoteReading): string => {
  const { from, to, price, source, worth, at } = rowOf(reading);
  const time = at.slice(11, 19);
  const problem = reading.error ? [`no quote: ${reading.error.message}`] : [];
  if (reading.error && price === '') return escapeText([time, ...problem].join('  '));
  const worthText = worth ? [`worth ${worth} ${to}`] : [];
  return escapeText([`${from}/${to}`, price, ...worthText, source, time, ...problem].join('  '));
};

/** One line of a terminal that is overwritten for each call; rises and falls are coloured. */
const drawing = ({ io, talkStyle }: CommandContext): WatchOutput => {
  let drawn = 0;
  const paint = (reading: QuoteReading, last: QuoteReading | undefined) => {
    if (reading.error) return talkStyle.colour.yellow;
    if (!last?.price || last.price === reading.price) return (text: string) => text;
    return Number(reading.price) > Number(last.price) ? talkStyle.colour.green : talkStyle.colour.red;
  };
  return {
    show: async (reading, last) => {
      const line = prefixThatFits(lineOf(reading), io.stdout.columns - 1);
      const padding = ' '.repeat(Math.max(0, drawn - widthOf(line)));
      drawn = widthOf(line);
      await io.stdout.write(`\r${paint(reading, last)(line)}${padding}`);
    },
    end: async () => (drawn > 0 ? io.stdout.write('\n') : undefined),
  };
};
