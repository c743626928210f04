import type { ChalkInstance } from 'chalk';

/** Something that differs, in words; no `before` where it is new, no `after` where it goes. */
export type DifferenceLine = {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Differences as `diff` writes them: what was with a minus, what will be with a plus. Texts are escaped already. */
export const differenceLines = (lines: readonly DifferenceLine[], colour: ChalkInstance): string =>
  lines
    .flatMap(({ path, before, after }) => [
      ...(before === undefined ? [] : [colour.red(`- ${path}: ${before}`)]),
      ...(after === undefined ? [] : [colour.green(`+ ${path}: ${after}`)]),
    ])
    .map((line) => `${line}\n`)
    .join('');
