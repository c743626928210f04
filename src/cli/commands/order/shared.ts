import { escapeText } from '../../../core/escape.ts';
import { printJson } from '../../../core/json.ts';
import type { Change } from '../../../flows/order/difference.ts';
import { differenceLines } from '../../../output/difference.ts';
import type { Argument } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

export const ORDER_ID: Argument = { name: 'ORDER_ID', description: 'Id of the order', completes: 'orders' };

/** Document, Limits: orders per account. */
export const MAX_ORDERS = 20;

/** Plain text as it is; everything else, and ambiguous text such as "1 " or "null", as JSON. */
const inWords = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  const isPlain = typeof value === 'string' && /^[\w.@:/+-]+$/.test(value);
  return isPlain ? value : escapeText(printJson(value));
};

/** The changes of an order as lines: the old value with a minus, the new one with a plus. */
export const changeLines = (cli: CommandContext, changes: readonly Change[]): string =>
  differenceLines(
    changes.map(({ path, before, after }) => ({
      path: escapeText(path),
      before: inWords(before),
      after: inWords(after),
    })),
    cli.talkStyle.colour,
  );
