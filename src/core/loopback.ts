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
