import { escapeText } from '../../core/escape.ts';
import { type Check, confirm, pass, refuse } from '../verdict.ts';
import { expiryIn, readSignIn } from './sign-in.ts';

const timeOf = (text: string): number =>
  /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;

/** When a text is valid, as far as it says so. `now` is milliseconds since 1970. */
export const checkTime = (message: string, now: number): readonly Check[] => {
  const expires = expiryIn(message);
  const notBefore = readSignIn(message)?.notBefore;
  if (notBefore !== undefined && timeOf(notBefore) > now) {
    return [refuse('expiry', `It is not valid before ${escapeText(notBefore)}.`)];
  }
  if (expires === undefined) return [];
  const time = timeOf(expires);
  if (Number.isNaN(time))
    return [confirm('expiry', `It says that it expires at "${escapeText(expires)}", which is no time.`)];
  if (time <= now) return [refuse('expiry', `It expired at ${expires}.`)];
  return [pass('expiry', `It expires at ${expires}.`)];
};
