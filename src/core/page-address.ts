import { actingIn } from './escape.ts';
import { isLoopback } from './loopback.ts';

declare const checked: unique symbol;

/** The address of a page that may be opened in a browser, as a browser writes it. */
export type PageAddress = string & { readonly [checked]: true };

const LONGEST = 2048;

/** What stands before an @ reads like the name of a host, and is none. */
const isPlain = ({ username, password }: URL): boolean => username === '' && password === '';

/** A page of this machine is for a service of this machine to name: another could have anything here opened. */
const isOfTheWeb = ({ protocol, hostname }: URL, namedBy: URL): boolean =>
  isLoopback(hostname) ? isLoopback(namedBy.hostname) && ['http:', 'https:'].includes(protocol) : protocol === 'https:';

/**
 * The address of a page that somebody else names, where it may be opened: https, or http on this machine where the service at
 * `baseUrl` is on it too. `undefined` for every other, for one with a user in it, and for one with characters that a
 * browser would drop in silence.
 */
export const pageAddress = (text: unknown, baseUrl: string): PageAddress | undefined => {
  if (typeof text !== 'string' || text.length > LONGEST || /\s/.test(text) || actingIn(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && isOfTheWeb(url, new URL(baseUrl)) && isPlain(url) ? (url.href as PageAddress) : undefined;
};
