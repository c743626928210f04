import { type Client, call, checkInput, type Input } from '../../../client/call.ts';
import { market } from '../../../contract/quote/market.ts';
import { canRedraw } from '../../../core/environment.ts';
import { escapeText } from '../../../core/escape.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { isJsonObject, printJson, textAt } from '../../../core/json.ts';
import { prefixThatFits, widthOf } from '../../../core/width.ts';
import { isPassing } from '../../../flows/waiting.ts';
import { selectFields } from '../../../output/fields.ts';
import { renderTsv } from '../../../output/render.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

const USUAL_EVERY = '5';

/** A quote more often than this tells nothing new and costs the service. */
const FASTEST_S = 0.2;

const everyMs = (given: ParsedArgs): number => {
  const text = stringArg(given, 'every') ?? USUAL_EVERY;
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && seconds >= FASTEST_S && seconds <= 86_400) return seconds * 1000;
  throw new Failure('usage', `--every: "${text}" is not a number of seconds from ${FASTEST_S} to 86400`);
};

/** Without --timeout there is no end to it: each call gets the time that a call may take. */
const asking = (client: Client, isLimited: boolean): Client =>
  isLimited ? client : { ...client, deadline: client.io.clock.monotonic() + 30_000 };

const priceIn = (data: unknown): string => {
  const { price, requested } = isJsonObject(data) ? data : {};
  const asked = isJsonObject(requested) ? requested['price'] : undefined;
  return typeof asked === 'string' ? asked : String(price ?? '');
};

type Watch = {
  readonly input: Input;
  readonly enriched: (data: unknown) => Promise<unknown>;
  readonly isLimited: boolean;
};

/** Asks once. What passes by itself ends no watch; what would be so again ends it at once. */
const look = async (cli: CommandContext, watch: Watch, last: Shown | undefined): Promise<Shown> => {
  const client = asking(await cli.client(), watch.isLimited);
  const at = () => new Date(cli.io.clock.now()).toISOString();
  try {
    const data = await watch.enriched((await call(client, market, watch.input)).data);
    return { at: at(), data, price: priceIn(data) };
  } catch (error) {
    if (!isFailure(error) || !isPassing(error)) throw error;
    return { at: at(), data: last?.data, price: last?.price ?? '', trouble: error };
  }
};

/** A watch in a pipe whose reader waits for a first line: so often it is tried. */
const MAX_BLIND_LOOKS = 5;

/** A watch that never saw a price ends as its last look did; with --json the line of that look has said it. */
const assertSeen = ({ price, trouble }: Shown, isTold: boolean): void => {
  if (!trouble || price !== '') return;
  throw new Failure(trouble.code, trouble.message, { ...trouble.details, ...(isTold && { isPrinted: true }) });
};

/** A look that began so late and was ended by --timeout tells of the time that was left, and not of the service. */
const FAIR_LOOK_MS = 2_000;

/** Shows a quote as it changes, until the user, the reader of stdout, or --timeout ends it. */
export const watchQuote = async (
  cli: CommandContext,
  given: ParsedArgs,
  input: Input,
  enriched: Watch['enriched'],
): Promise<void> => {
  const { io, globals } = cli;
  if (globals.envelope) {
    throw new Failure('usage', '--watch prints a quote for each look, and no --envelope', { hint: 'Use --json.' });
  }
  const watch = { input: checkInput(market, input), enriched, isLimited: stringArg(given, 'timeout') !== undefined };
  const pause = everyMs(given);
  const isDrawn = io.stdout.isTerminal && !globals.json && canRedraw(io.env);
  const output = isDrawn ? drawing(cli) : streaming(cli);
  const left = () => (watch.isLimited ? cli.deadline - io.clock.monotonic() : Number.MAX_SAFE_INTEGER);
  let last: Shown | undefined;
  try {
    for (let looks = 1; ; looks += 1) {
      const isLate = left() < FAIR_LOOK_MS;
      const shown = await look(cli, watch, last);
      if (shown.trouble && isLate && left() <= 0 && last?.price) return;
      await output.show(shown, last);
      last = shown;
      const isBlind = shown.price === '' && looks >= MAX_BLIND_LOOKS && !io.stdout.isTerminal;
      if (left() <= pause || isBlind || io.stdout.isClosed()) return assertSeen(last, globals.json);
      await io.clock.sleep(pause, io.interrupted);
    }
  } finally {
    await output.end();
  }
};

/** One look at a quote; with `trouble` the last that is known. */
type Shown = {
  readonly at: string;
  readonly data: unknown;
  readonly price: string;
  readonly trouble?: Failure;
};

type WatchOutput = {
  readonly show: (shown: Shown, last: Shown | undefined) => Promise<void>;
  readonly end: () => Promise<void>;
};

const rowOf = ({ at, data, price }: Shown) => {
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

const documentOf = ({ at, data, trouble }: Shown): unknown => {
  if (trouble) return { at, error: { code: trouble.code, status: trouble.details.status, message: trouble.message } };
  return { at, ...(isJsonObject(data) ? data : {}) };
};

const streamed = async ({ globals }: CommandContext, shown: Shown): Promise<string> => {
  const { json, fields, jq } = globals;
  if (!json) return renderTsv(fields ? selectFields([rowOf(shown)], fields) : [rowOf(shown)]);
  const document = documentOf(shown);
  const picked = fields && !shown.trouble ? selectFields(document, fields) : document;
  return jq === undefined ? `${printJson(picked)}\n` : (await import('../../../output/jq.ts')).queryLines(picked, jq);
};

/**
 * In a pipe a line for each look, so that a reader that went away is noticed; with --json a document, where trouble is one
 * as well. On a terminal that draws nothing again, where a line may be read aloud, one for each change.
 */
const streaming = (cli: CommandContext): WatchOutput => ({
  show: async (shown, last) => {
    const isNews = Boolean(shown.trouble) !== Boolean(last?.trouble);
    if (shown.trouble && isNews && !cli.globals.json) await cli.say(`no answer: ${escapeText(shown.trouble.sentence)}`);
    const isChange = !last || shown.price !== last.price || !cli.io.stdout.isTerminal;
    if (cli.globals.json || (isChange && !shown.trouble)) await cli.io.stdout.write(await streamed(cli, shown));
  },
  end: async () => undefined,
});

const lineOf = (shown: Shown): string => {
  const { from, to, price, source, worth, at } = rowOf(shown);
  if (shown.trouble && price === '') return escapeText(`${at.slice(11, 19)}  no answer: ${shown.trouble.message}`);
  const what = [`${from}/${to}`, price, ...(worth ? [`worth ${worth} ${to}`] : []), source, at.slice(11, 19)].join(
    '  ',
  );
  return escapeText(shown.trouble ? `${what}  no answer: ${shown.trouble.message}` : what);
};

/** One line of a terminal, written again in its place; up and down are coloured. */
const drawing = ({ io, talkStyle }: CommandContext): WatchOutput => {
  let drawn = 0;
  const paint = (shown: Shown, last: Shown | undefined) => {
    if (shown.trouble) return talkStyle.colour.yellow;
    if (!last?.price || last.price === shown.price) return (text: string) => text;
    return Number(shown.price) > Number(last.price) ? talkStyle.colour.green : talkStyle.colour.red;
  };
  return {
    show: async (shown, last) => {
      const line = prefixThatFits(lineOf(shown), io.stdout.columns - 1);
      const padding = ' '.repeat(Math.max(0, drawn - widthOf(line)));
      drawn = widthOf(line);
      await io.stdout.write(`\r${paint(shown, last)(line)}${padding}`);
    },
    end: async () => (drawn > 0 ? io.stdout.write('\n') : undefined),
  };
};
