import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { messageOf } from '../../core/failure.ts';
import type { Environment } from '../../core/screen.ts';

/** The proxy for a request. `shown` is its address without credentials. */
export type HttpProxy = { readonly url: URL; readonly shown: string };

/** A proxy, none (`undefined`), or the problem of the one in the environment. */
export type ProxyChoice = { readonly proxy: HttpProxy } | { readonly problem: string } | undefined;

/** Every name of this machine. Wider than `isLoopback`, which decides where a key may be sent over plain http. */
const LOOPBACK = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]?)$/i;

/** The first variable that is set, even to an empty text. Lower case comes first, as in curl. */
const first = (env: Environment, ...names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find((value) => value !== undefined);

/** In a CGI program a request header sets HTTP_PROXY (CVE-2016-5385), so it does not count there. */
const namedFor = (protocol: string, env: Environment): string | undefined => {
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

/** Matches an entry of NO_PROXY: `*`, a host with its subdomains and perhaps a port, or a network. */
const excepts = (entry: string, { hostname, port, protocol }: URL): boolean => {
  if (entry === '*') return true;
  const host = bare(hostname);
  const network = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry);
  if (network) return inSubnet(host, network[1] ?? '', network[2] ?? '');
  const [, name = entry, onlyPort] = (isIP(entry) === 6 ? undefined : /^(.+):(\d+)$/.exec(entry)) ?? [];
  if (onlyPort !== undefined && onlyPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  const suffix = bare(name.replace(/^\*?\./, ''));
  return suffix !== '' && (host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`)));
};

const parseProxy = (text: string): ProxyChoice => {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  // The text may contain credentials, so the message does not repeat it.
  if (!url?.hostname) return { problem: 'the proxy in the environment is not a valid address' };
  if (!['http:', 'https:'].includes(url.protocol)) {
    return { problem: `only http and https proxies are supported, not ${url.protocol.slice(0, -1)}` };
  }
  return { proxy: { url, shown: url.origin } };
};

/**
 * The proxy that the environment sets for an address, by HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY in either case.
 * Requests to this machine never use one: they stay private.
 */
export const proxyFor = (url: URL, env: Environment): ProxyChoice => {
  const named = namedFor(url.protocol, env)?.trim();
  if (!named || LOOPBACK.test(url.hostname)) return undefined;
  const exceptions = (first(env, 'no_proxy', 'NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean);
  return exceptions.some((entry) => excepts(entry, url)) ? undefined : parseProxy(named);
};

/** The host of a connection, in undici's terms. */
type Target = { readonly hostname: string; readonly port: string; readonly protocol: string };

type Done = (error: Error | null, socket: Socket | null) => void;

/** This code distinguishes a fault of the proxy from one of the service. */
const PROXY_FAULT = 'BURSAR_PROXY';

const proxyFault = (message: string): Error => Object.assign(new Error(message), { code: PROXY_FAULT });

const REFUSALS: Readonly<Record<number, string>> = {
  403: 'it does not allow this host',
  407: 'it requires a user and a password, or rejected the given ones',
  502: 'it could not reach the host',
  503: 'it is not available',
  504: 'it could not reach the host in time',
};

const refusal = ({ shown }: HttpProxy, status: number): Error =>
  proxyFault(`${shown} answered CONNECT with HTTP ${status}${REFUSALS[status] ? `: ${REFUSALS[status]}` : ''}`);

const authorityOf = ({ hostname, port, protocol }: Target): string => {
  const host = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
};

/** A percent sign may stand for itself. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const credentialsOf = ({ username, password }: URL): Record<string, string> => {
  if (!username && !password) return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

/** Opens a connection through the proxy. The proxy sees only the host and the port. */
const openTunnel = async (proxy: HttpProxy, target: Target, signal: AbortSignal): Promise<Socket> => {
  const { url } = proxy;
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const authority = authorityOf(target);
  return new Promise((resolve, reject) => {
    const connecting = request({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(url) },
      agent: false,
      signal,
    });
    connecting.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(refusal(proxy, statusCode));
    });
    connecting.once('response', (answer) => {
      answer.destroy();
      reject(refusal(proxy, answer.statusCode ?? 0));
    });
    connecting.on('error', (error) => reject(proxyFault(`${proxy.shown}: ${messageOf(error)}`)));
    connecting.end();
  });
};

/** TLS from here to the target, so that the proxy cannot read it. */
const overTls = (socket: Socket, { hostname }: Target, done: Done): void => {
  const { connect } = process.getBuiltinModule('node:tls');
  const servername = isIP(hostname) === 0 ? hostname : undefined;
  const own = connect({ socket, host: hostname, ALPNProtocols: ['http/1.1'], ...(servername && { servername }) });
  own.once('secureConnect', () => done(null, own));
  own.once('error', (error) => done(error, null));
};

/** Connects undici's client through a proxy. No byte of a request leaves before the connection is open. */
export const tunnelThrough =
  (proxy: HttpProxy, signal: AbortSignal) =>
  (target: Target, callback: Done): void => {
    let isDone = false;
    const done: Done = (error, socket) => {
      if (isDone) return;
      isDone = true;
      callback(error, socket);
    };
    openTunnel(proxy, target, signal).then(
      (socket) => (target.protocol === 'https:' ? overTls(socket, target, done) : done(null, socket)),
      (error: unknown) => done(error as Error, null),
    );
  };
