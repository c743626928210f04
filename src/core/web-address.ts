import { actingIn } from './escape.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host is this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Other spellings of this machine that no service is reached by over plain http. */
const ALSO_LOOPBACK = /^(?:.+\.localhost|0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

const placeOf = (address: string): string => {
  if (!URL.canParse(address)) return address;
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/\.$/, '');
  return `${protocol}//${isLoopback(host) || ALSO_LOOPBACK.test(host) ? 'loopback' : host}:${port}`;
};

/** Whether two addresses are of one server, however its host is spelled: this machine has several names for itself. */
export const isSamePlace = (one: string, other: string): boolean => placeOf(one) === placeOf(other);

declare const checked: unique symbol;

/** The address of a page that may be opened in a browser, as a browser writes it. */
export type PageAddress = string & { readonly [checked]: true };

const LONGEST = 2048;

/** What stands before an @ reads like the name of a host, and is none. */
const hasNoUser = ({ username, password }: URL): boolean => username === '' && password === '';

/** A page of this machine is for a service of this machine to name: another could have anything here opened. */
const isAllowedPage = ({ protocol, hostname }: URL, namedBy: URL): boolean =>
  isLoopback(hostname) ? isLoopback(namedBy.hostname) && ['http:', 'https:'].includes(protocol) : protocol === 'https:';

/**
 * The address of a page that somebody else names, where it may be opened: https, or http on this machine where the service at
 * `baseUrl` is on it too. `undefined` for every other, for one with a user in it, and for one with characters that a
 * browser would drop in silence.
 */
export const pageAddress = (text: unknown, baseUrl: string): PageAddress | undefined => {
  if (typeof text !== 'string' || text.length > LONGEST || /\s/.test(text) || actingIn(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && isAllowedPage(url, new URL(baseUrl)) && hasNoUser(url) ? (url.href as PageAddress) : undefined;
};
