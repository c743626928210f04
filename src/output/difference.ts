import type { ChalkInstance } from 'chalk';

/** A difference between two values: no `before` for a new field, no `after` for a removed one. */
export type DifferenceLine = {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Differences in the style of `diff`: old values with a minus, new values with a plus. Texts must be escaped. */
export const differenceLines = (lines: readonly DifferenceLine[], colour: ChalkInstance): string =>
  lines
    .flatMap(({ path, before, after }) => [
      ...(before === undefined ? [] : [colour.red(`- ${path}: ${before}`)]),
      ...(after === undefined ? [] : [colour.green(`+ ${path}: ${after}`)]),
    ])
    .map((line) => `${line}\n`)
    .join('');
