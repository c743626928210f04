import { renderFor, renderTsv } from '../../src/output/render.ts';
import type { TableStyle } from '../../src/output/table.ts';

/** Data as it is printed: on a terminal of that style, or without one in a pipe. */
export const render = (value: unknown, style: TableStyle | undefined, brief?: readonly string[]): string =>
  style ? renderFor(style, value, brief).text : renderTsv(value);
