import { compareDecimals, divideDecimals, isDecimal, multiplyDecimals } from '../core/decimal.ts';

/** Eighths of a block, from one to all of them. */
const EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

const WIDTH = 12;

/** A value as a bar beside the largest of its list, in blocks or, without Unicode, in hashes. What is no decimal has none. */
export const bar = (value: string, most: string, unicode: boolean): string => {
  if (![value, most].every(isDecimal) || compareDecimals(most, '0') === 0) return '';
  const eighths = Number(divideDecimals(multiplyDecimals(value, String(WIDTH * 8)), most, 0));
  if (!unicode) return '#'.repeat(Math.round(eighths / 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[(eighths % 8) - 1] ?? '');
};
