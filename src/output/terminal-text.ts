import { toAscii } from '../core/text.ts';
import type { TableStyle } from './table.ts';

/** A time with its zone. Document: "ISO 8601 timestamps". */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

const JUST_NOW_S = 5;

/** A time relative to now, such as "3 hours ago" or "in 2 days"; `undefined` for a text that is not a time. */
export const relativeTime = (text: string, now: number): string | undefined => {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const seconds = Math.round(Math.abs(now - at) / 1000);
  if (seconds < JUST_NOW_S) return 'just now';
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  const count = Math.floor(seconds / length);
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return at <= now ? `${words} ago` : `in ${words}`;
};

const BRIEF = { year: 'y', month: 'mo', week: 'w', day: 'd', hour: 'h', minute: 'm', second: 's' } as const;

/** The age of a time in a few characters, such as "3h"; the text itself for a later time, and for no time. */
export const briefAge = (text: string, now: number): string => {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || at > now) return text;
  const seconds = Math.round((now - at) / 1000);
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return `${Math.floor(seconds / length)}${BRIEF[unit]}`;
};

/** A text for the terminal's locale: ASCII if the terminal has no Unicode. */
export const inLocale = (text: string, { unicode }: TableStyle): string => (unicode ? text : toAscii(text));

/** A cell of a table: a time becomes relative. */
export const inTable = (text: string, style: TableStyle): string =>
  inLocale((style.now !== undefined && relativeTime(text, style.now)) || text, style);

/** A value in a record: a time is followed by its relative form. */
export const inRecord = (text: string, style: TableStyle): string => {
  const distance = style.now === undefined ? undefined : relativeTime(text, style.now);
  return inLocale(distance === undefined ? text : `${text} (${distance})`, style);
};
