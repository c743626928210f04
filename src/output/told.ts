import { toAscii } from '../core/ascii.ts';
import { relativeTime } from './relative.ts';
import type { TableStyle } from './table.ts';

/** A text as a terminal shows it: ASCII where it can no more. */
export const inLocale = (text: string, { unicode }: TableStyle): string => (unicode ? text : toAscii(text));

/** A cell of a list: there the distance of a time tells more than the time. */
export const inTable = (text: string, style: TableStyle): string =>
  inLocale((style.now !== undefined && relativeTime(text, style.now)) || text, style);

/** A value of one thing: there is room for a time and its distance. */
export const inRecord = (text: string, style: TableStyle): string => {
  const distance = style.now === undefined ? undefined : relativeTime(text, style.now);
  return inLocale(distance === undefined ? text : `${text} (${distance})`, style);
};
