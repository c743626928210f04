import type { HttpAnswer } from '../io/exchange.ts';

/**
 * How long an answer asks to wait, in milliseconds: its `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), which
 * is held against the answer's own `Date`, for clocks differ. `undefined` where it asks for nothing that can be read.
 */
export const retryAfterMs = ({ headers }: HttpAnswer, now: number): number | undefined => {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
};
