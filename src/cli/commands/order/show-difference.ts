import { escapeText } from '../../../core/escape.ts';
import { printJson } from '../../../core/json.ts';
import type { Change } from '../../../flows/order/difference.ts';
import { differenceLines } from '../../../output/difference.ts';
import type { CommandContext } from '../../context/context.ts';

/** Text stands as it is where it cannot be taken for another value; all else, and what is odd, as JSON. */
const inWords = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  const isPlain = typeof value === 'string' && /^[\w.@:/+-]+$/.test(value);
  return isPlain ? value : escapeText(printJson(value));
};

/** Changes of an order, a line for each value: removed with a minus, stored with a plus. */
export const changeLines = (cli: CommandContext, changes: readonly Change[]): string =>
  differenceLines(
    changes.map(({ path, before, after }) => ({
      path: escapeText(path),
      before: inWords(before),
      after: inWords(after),
    })),
    cli.talkStyle.colour,
  );
