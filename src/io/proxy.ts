import { BlockList, isIP } from 'node:net';
import type { Io } from './io.ts';

/** The proxy that a request goes through. `shown` is its address without what it is opened with. */
export type HttpProxy = { readonly url: URL; readonly shown: string };

/** A proxy, none, or why the environment names one that cannot be used. */
export type ProxyChoice = { readonly proxy: HttpProxy } | { readonly problem: string } | undefined;

type Env = Io['env'];

/** Wider than `isLoopback`, which lets a key go out over plain http: every name that stays on this machine. */
const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]?)$/i;

/** The first that is set, even to nothing: the lower case outranks the upper, as in curl. */
const first = (env: Env, ...names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find((value) => value !== undefined);

/** A CGI program gets HTTP_PROXY from a header of whoever calls it (CVE-2016-5385). */
const namedFor = (protocol: string, env: Env): string | undefined => {
  if (protocol === 'https:') return first(env, 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY');
  const plain = env['REQUEST_METHOD'] === undefined ? ['HTTP_PROXY'] : [];
  return first(env, 'http_proxy', ...plain, 'all_proxy', 'ALL_PROXY');
};

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');

const inSubnet = (host: string, network: string, bits: string): boolean => {
  const [family, own] = [isIP(network), isIP(host)];
  if (family === 0 || own !== family || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, Number(bits), kind);
  return list.check(host, kind);
};

/** An entry of NO_PROXY: `*`, a host with all below it, a network, each with a port or without. */
const excepts = (entry: string, { hostname, port, protocol }: URL): boolean => {
  if (entry === '*') return true;
  const host = bare(hostname);
  const network = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry);
  if (network) return inSubnet(host, network[1] ?? '', network[2] ?? '');
  const [, name = entry, wanted] = (isIP(entry) === 6 ? undefined : /^(.+):(\d+)$/.exec(entry)) ?? [];
  if (wanted !== undefined && wanted !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  const suffix = bare(name.replace(/^\*?\./, ''));
  return suffix !== '' && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)));
};

const read = (text: string): ProxyChoice => {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // What it is opened with may stand in it, so a bad address is not repeated.
  if (!url?.hostname) return { problem: 'what the environment names as proxy is no address' };
  if (!['http:', 'https:'].includes(url.protocol)) {
    return { problem: `a proxy of the kind ${url.protocol.slice(0, -1)} cannot be used; http and https can` };
  }
  return { proxy: { url, shown: url.origin } };
};

/**
 * The proxy for an address, as the environment has it: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in lower case
 * too. Never for this machine: what is said there is nobody else's business.
 */
export const proxyFor = (url: URL, env: Env): ProxyChoice => {
  const named = namedFor(url.protocol, env)?.trim();
  if (!named || LOOPBACK.test(url.hostname)) return undefined;
  const exceptions = (first(env, 'no_proxy', 'NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean);
  return exceptions.some((entry) => excepts(entry, url)) ? undefined : read(named);
};
