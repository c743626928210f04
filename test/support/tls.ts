import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './io.ts';
import { type Received, type Responder, readBody } from './server.ts';

/** A key and a self-signed certificate. `file` is the path of the certificate, for NODE_EXTRA_CA_CERTS. */
export type Certificate = { readonly key: string; readonly cert: string; readonly file: string };

/** Makes a certificate for a host with OpenSSL. A negative number of days makes one that has expired. */
export const certificateFor = async (host: string, days = 30): Promise<Certificate> => {
  const folder = await temporaryFolder();
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const [request, names] = [join(folder, 'request.pem'), join(folder, 'names')];
  writeFileSync(names, `subjectAltName=DNS:${host}\n`);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-new', ...curve, '-keyout', key, '-out', request, '-subj', `/CN=${host}`);
  // `openssl x509` accepts a negative number of days; `openssl req` does not.
  openssl('x509', '-req', '-in', request, '-signkey', key, '-days', String(days), '-extfile', names, '-out', file);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(file, 'utf8'), file };
};

const listening = async (server: Server, sockets: Set<Socket>): Promise<number> => {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** Starts a service over TLS on this machine. `received` has its requests. */
export const startTlsServer = async ({ key, cert }: Certificate, respond: Responder) => {
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const incoming = { method, path, headers, body: await readBody(request) };
    received.push(incoming);
    await respond(incoming, response);
  };
  const server = createServer({ key, cert }, (request, response) => void handle(request, response));
  return { port: await listening(server, new Set()), received };
};

/** The head of each request to a proxy, and all bytes from the client through its tunnels. */
export type SeenByProxy = { readonly heads: string[]; bytes: string };

/** The answer of a proxy to a CONNECT: a status line with headers, or a tunnel to a port of this machine. */
export type ProxyAnswer = string | { readonly tunnelTo: number };

/** Starts a real CONNECT proxy. It can tunnel every host to one port of this machine. */
export const startProxy = async (answer: (head: string) => ProxyAnswer) => {
  const seen: SeenByProxy = { heads: [], bytes: '' };
  const sockets = new Set<Socket>();
  const handle = (socket: Socket, head: string): void => {
    seen.heads.push(head);
    const result = answer(head);
    if (typeof result === 'string') {
      socket.end(result);
      return;
    }
    const target = connect(result.tunnelTo, '127.0.0.1');
    sockets.add(target);
    target.on('error', () => socket.destroy());
    target.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (bytes) => {
        seen.bytes += bytes.toString('latin1');
      });
      socket.pipe(target).pipe(socket);
    });
  };
  const server = createTcp((socket) => {
    let head = '';
    const onData = (bytes: Buffer) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      handle(socket, head);
    };
    socket.on('data', onData);
  });
  return { port: await listening(server, sockets), seen };
};
