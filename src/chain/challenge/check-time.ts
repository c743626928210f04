import { escapeText } from '../../core/escape.ts';
import { inSentence } from '../../core/remote-text.ts';
import { type Check, confirm, pass, refuse } from '../verdict.ts';
import { linesIn } from './plain.ts';
import { claimsIn, expiryIn } from './sign-in.ts';

/** Seconds or milliseconds since 1970, as programs write them. */
const EPOCH = /^\d{10}(?:\d{3})?$/;

const timeOf = (text: string): number => {
  if (EPOCH.test(text)) return Number(text.padEnd(13, '0'));
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
};

/** When a text is valid, as far as it says so. `now` is milliseconds since 1970. */
export const checkTime = (message: string, now: number): readonly Check[] => {
  const expires = expiryIn(linesIn(message).join('\n'));
  const notBefore = claimsIn(message)?.notBefore;
  if (notBefore !== undefined && timeOf(notBefore) > now) {
    return [refuse('expiry', `It is not valid before ${inSentence(escapeText(notBefore))}.`)];
  }
  if (expires === undefined) return [];
  const time = timeOf(expires);
  if (Number.isNaN(time))
    return [confirm('expiry', `It says that it expires at "${inSentence(escapeText(expires))}", which is no time.`)];
  if (time <= now) return [refuse('expiry', `It expired at ${inSentence(expires)}.`)];
  return [pass('expiry', `It expires at ${inSentence(expires)}.`)];
};
