import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A whole request. `forward` sends it to the server and resolves with the whole answer. */
export type TcpCall = {
  readonly request: Buffer;
  readonly socket: Socket;
  readonly forward: () => Promise<Buffer>;
};

export type TcpProxy = { readonly url: string; readonly close: () => void };

export const HEAD_END = '\r\n\r\n';

/** Whether bytes are a whole HTTP/1.1 message. */
const isWhole = (bytes: Buffer): boolean => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString('latin1');
  const body = bytes.subarray(end + HEAD_END.length);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return body.length >= Number(length);
  return !/^transfer-encoding: *chunked/im.test(head) || body.includes('0\r\n\r\n');
};

const readWhole = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isWhole(bytes)) end();
    };
    const end = () => {
      socket.off('data', onData).off('end', end).off('close', end);
      resolve(bytes);
    };
    socket.on('data', onData).on('end', end).on('close', end);
  });

/** Replaces the Host header, because the sandbox rejects a foreign host. */
const addressedTo = (host: string, request: Buffer): Buffer =>
  Buffer.from(request.toString('latin1').replace(/^host: .*$/im, `host: ${host}`), 'latin1');

/** Starts a TCP proxy before a server. Each connection carries one request, as bursar makes them. */
export const startTcpProxy = async (target: string, handle: (call: TcpCall) => Promise<void>): Promise<TcpProxy> => {
  const { hostname, port, host } = new URL(target);
  const open = new Set<Socket>();
  const tracked = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  };
  const forwarder = (request: Buffer) => async (): Promise<Buffer> => {
    const upstream = tracked(connect(Number(port), hostname));
    upstream.write(addressedTo(host, request));
    const answer = await readWhole(upstream);
    upstream.destroy();
    return answer;
  };
  const serve = async (socket: Socket): Promise<void> => {
    const request = await readWhole(socket);
    if (request.length > 0) await handle({ request, socket, forward: forwarder(request) });
  };
  const server = createServer((socket) => void serve(tracked(socket)).catch(() => socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
