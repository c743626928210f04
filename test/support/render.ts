import { renderFor, renderTsv } from '../../src/output/render.ts';
import type { TableStyle } from '../../src/output/table.ts';

/** Data as the program prints it: on a terminal with a style, or in a pipe without one. */
export const render = (value: unknown, style: TableStyle | undefined, brief?: readonly string[]): string =>
  style ? renderFor(style, value, brief).text : renderTsv(value);
