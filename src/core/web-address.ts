import { actingIn } from './text.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name is this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/** Other names of this machine. Plain http is not allowed to these. */
const ALSO_LOOPBACK = /^(?:.+\.localhost|0\.0\.0\.0|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

const placeOf = (address: string): string => {
  if (!URL.canParse(address)) return address;
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/\.$/, '');
  return `${protocol}//${isLoopback(host) || ALSO_LOOPBACK.test(host) ? 'loopback' : host}:${port}`;
};

/** A character of a path that needs no percent sign (RFC 3986, 2.3). */
const plainCharacter = (escaped: string, hex: string): string => {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
};

/** The one spelling of the address of a service. With another spelling its operations would look like those of another. */
export const canonicalAddress = ({ protocol, hostname, port, pathname }: URL): string => {
  const path = pathname.replaceAll(/%([0-9a-f]{2})/gi, plainCharacter).replaceAll(/\/{2,}/g, '/');
  return `${protocol}//${hostname.replace(/\.$/, '')}${port && `:${port}`}${path.replace(/\/$/, '')}`;
};

/** Whether two addresses are of the same server. All names of this machine count as one host. */
export const isSamePlace = (one: string, other: string): boolean => placeOf(one) === placeOf(other);

declare const checked: unique symbol;

/** The address of a page that bursar may open in a browser, as a browser writes it. */
export type PageAddress = string & { readonly [checked]: true };

const LONGEST = 2048;

/** Only a service on this machine may name a page on this machine: any other could open local pages. */
const isAllowedPage = ({ protocol, hostname }: URL, namedBy: URL): boolean =>
  isLoopback(hostname) ? isLoopback(namedBy.hostname) && ['http:', 'https:'].includes(protocol) : protocol === 'https:';

/**
 * Checks the address of a page that the service at `baseUrl` names. Allowed are https, and http on this machine if the
 * service is on this machine too. Returns `undefined` for any other address, for one with a user, and for one with
 * characters that a browser silently drops.
 */
export const pageAddress = (text: unknown, baseUrl: string): PageAddress | undefined => {
  if (typeof text !== 'string' || text.length > LONGEST || /\s/.test(text) || actingIn(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The user before an @ can look like a host name, so it is not allowed.
  const isAllowed = url && isAllowedPage(url, new URL(baseUrl)) && url.username === '' && url.password === '';
  return isAllowed ? (url.href as PageAddress) : undefined;
};
