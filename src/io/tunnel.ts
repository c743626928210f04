import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { messageOf } from '../core/failure.ts';
import type { HttpProxy } from './proxy.ts';

/** Whom a connection is for, as undici says it. */
type Target = { readonly hostname: string; readonly port: string; readonly protocol: string };

type Done = (error: Error | null, socket: Socket | null) => void;

/** A fault of the proxy, told apart from one of the service by its code. */
const PROXY_FAULT = 'BURSAR_PROXY';

const proxyFault = (message: string): Error => Object.assign(new Error(message), { code: PROXY_FAULT });

const REFUSALS: Readonly<Record<number, string>> = {
  403: 'it does not allow this host',
  407: 'it asks for a user and a password, or does not take the ones it got',
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

/** A percent sign that was meant as one is no fault. */
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

/** Asks the proxy for a connection to the target. It learns the host and the port, and nothing else. */
const openTunnel = async (proxy: HttpProxy, target: Target, signal: AbortSignal): Promise<Socket> => {
  const { url } = proxy;
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const authority = authorityOf(target);
  return new Promise((resolve, reject) => {
    const asking = request({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(url) },
      agent: false,
      signal,
    });
    asking.once('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(refusal(proxy, statusCode));
    });
    asking.once('response', (answer) => {
      answer.destroy();
      reject(refusal(proxy, answer.statusCode ?? 0));
    });
    asking.on('error', (error) => reject(proxyFault(`${proxy.shown}: ${messageOf(error)}`)));
    asking.end();
  });
};

/** TLS goes from here to the target: what is in it the proxy cannot read. */
const overTls = (socket: Socket, { hostname }: Target, done: Done): void => {
  const servername = isIP(hostname) === 0 ? hostname : undefined;
  const own = secure({ socket, host: hostname, ALPNProtocols: ['http/1.1'], ...(servername && { servername }) });
  own.once('secureConnect', () => done(null, own));
  own.once('error', (error) => done(error, null));
};

/** Connects undici's client through a proxy. Nothing of a request leaves before the connection stands. */
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
