import { escapeText } from '../../../core/escape.ts';
import type { Failure } from '../../../core/failure.ts';
import { isJsonObject, printJson } from '../../../core/json.ts';
import { textAt } from '../../../core/text-at.ts';
import { fitting, widthOf } from '../../../core/width.ts';
import { renderTsv } from '../../../output/render.ts';
import { selectFields } from '../../../output/select.ts';
import type { CommandContext } from '../../context/context.ts';

/** One look at a quote; with `trouble` the last that is known. */
export type Shown = {
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
export const streaming = (cli: CommandContext): WatchOutput => ({
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
export const drawing = ({ io, talkStyle }: CommandContext): WatchOutput => {
  let drawn = 0;
  const paint = (shown: Shown, last: Shown | undefined) => {
    if (shown.trouble) return talkStyle.colour.yellow;
    if (!last?.price || last.price === shown.price) return (text: string) => text;
    return Number(shown.price) > Number(last.price) ? talkStyle.colour.green : talkStyle.colour.red;
  };
  return {
    show: async (shown, last) => {
      const line = fitting(lineOf(shown), io.stdout.columns - 1);
      const padding = ' '.repeat(Math.max(0, drawn - widthOf(line)));
      drawn = widthOf(line);
      await io.stdout.write(`\r${paint(shown, last)(line)}${padding}`);
    },
    end: async () => (drawn > 0 ? io.stdout.write('\n') : undefined),
  };
};
