import { getDomain, getPublicSuffix } from 'tldts';
import { isLoopback } from '../../core/web-address.ts';

/** The hosts that a challenge may name: the service's, and those that the user added. */
export type OwnHosts = {
  /** The service's host, with its port if it has one; `undefined` if it is not known. */
  readonly service: string | undefined;
  /** `challenge_hosts` of the profile and of the key's policy. */
  readonly added: readonly string[];
};

type Host = { readonly name: string; readonly port: string };

/** A host as browsers read it: lower case, ASCII, no final dot. `undefined` for text that is no host. */
const readHost = (text: string): Host | undefined => {
  const port = /:(\d{1,5})$/.exec(text)?.[1] ?? '';
  if (/[@/\\?#\s]/.test(text) || !URL.canParse(`http://${text}`)) return undefined;
  return { name: new URL(`http://${text}`).hostname.replace(/\.$/, ''), port };
};

const isNumeric = (name: string): boolean => name.startsWith('[') || /^[\d.]+$/.test(name);

/** On the loopback host and on IP addresses, each port is a service of its own. */
const isSamePort = (own: Host, other: Host): boolean => other.port === '' || other.port === own.port;

const isSame = (own: Host, other: Host): boolean => {
  if (isLoopback(own.name)) return isLoopback(other.name) && isSamePort(own, other);
  if (isNumeric(own.name)) return own.name === other.name && isSamePort(own, other);
  if (own.name === other.name) return true;
  // Each customer of a hosting service (a private suffix) counts as another owner.
  const domain = getDomain(own.name, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(other.name, { allowPrivateDomains: true });
};

/** Whether a host belongs to the service: equal, in the same registrable domain, or added by the user. */
export const isOwnHost = (text: string, { service, added }: OwnHosts): boolean => {
  const host = readHost(text);
  if (host === undefined) return false;
  const own = service === undefined ? undefined : readHost(service);
  if (own !== undefined && isSame(own, host)) return true;
  return added.map(readHost).some((each) => each?.name === host.name && isSamePort(each, host));
};

/** Labels that many services have, so they identify none. */
const COMMON = new Set(['api', 'www', 'app', 'com', 'dev', 'web']);

/** The labels of the service's hosts, in lower case: `acme-pay`, `acme`, `kyc` of kyc.acme-pay.example. */
export const namesOfHosts = ({ service, added }: OwnHosts): readonly string[] =>
  [...(service === undefined ? [] : [service]), ...added].flatMap((text) => {
    const { name = '' } = readHost(text) ?? {};
    const suffix = getPublicSuffix(name, { allowPrivateDomains: true }) ?? '';
    const labels = isNumeric(name) ? [] : name.slice(0, name.length - suffix.length).split('.');
    return labels
      .flatMap((label) => [label, ...label.split('-')])
      .filter((label) => !COMMON.has(label) && label !== '');
  });
