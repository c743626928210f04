import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** What goes wrong with a call. All but `drop_before` and `json_429` reach the service. */
export type Fault = 'drop_before' | 'drop_after' | 'hang' | 'reset' | 'truncate' | 'html_502' | 'json_500' | 'json_429';

/** What is done with a call that names some text: a fault, or something of the test's own before it goes on. */
export type Trap = {
  /** What the call must hold, such as a path. */
  readonly names: string;
  /** A wallet that it must be about: in its body as text, or in the bytes of a transaction. */
  readonly about?: { readonly wallet: string; readonly publicKey: Uint8Array };
  readonly fault?: Fault;
  /** When the whole call is here; whether it goes on to the service. */
  readonly onCall?: () => boolean;
};

/** A TCP proxy before the service and one before its Solana node. */
export type YieldFaults = {
  readonly url: string;
  readonly rpcUrl: string;
  /** Sets a trap for one call; gives how often it was met, which stays at one. */
  readonly set: (trap: Trap) => { readonly met: () => number };
  readonly end: () => Promise<void>;
};

const HEAD_END = '\r\n\r\n';

const isWhole = (text: string): boolean => {
  const at = text.indexOf(HEAD_END);
  if (at < 0) return false;
  const length = /content-length: *(\d+)/i.exec(text.slice(0, at))?.[1] ?? '0';
  return text.length >= at + HEAD_END.length + Number(length);
};

const answer = (http: string, type: string, body: string): string =>
  `HTTP/1.1 ${http}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;

const envelope = (http: number, status: string): string =>
  JSON.stringify({ statusCode: http, success: false, status, message: 'm' });

const ANSWERS: Partial<Record<Fault, string>> = {
  html_502: answer('502 Bad Gateway', 'text/html', '<html>bad gateway</html>'),
  json_500: answer('500 Internal Server Error', 'application/json', envelope(500, 'internal_error')),
  json_429: answer('429 Too Many Requests', 'application/json', envelope(429, 'too_many_requests')),
};

/** Base64 in a call, as bytes: a transaction holds its wallet so. */
const isAbout = (text: string, about: Trap['about']): boolean =>
  about === undefined ||
  text.includes(about.wallet) ||
  [...text.matchAll(/[A-Za-z0-9+/]{100,}={0,2}/g)].some(([found]) =>
    Buffer.from(found, 'base64').includes(Buffer.from(about.publicKey)),
  );

/** Passes a call on and hands its whole answer back. */
const forward = async (target: URL, request: Buffer): Promise<Buffer> => {
  const { connect } = await import('node:net');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(target.port), target.hostname);
    const parts: Buffer[] = [];
    socket.on('data', (part) => parts.push(part));
    socket.once('error', reject);
    socket.once('close', () => resolve(Buffer.concat(parts)));
    socket.write(request);
  });
};

/** As its target wants it: for its own host, and one call a connection. */
const readdressed = (text: string, { host }: URL): Buffer => {
  const plain = text.replace(/\r\nconnection: [^\r]*/i, '').replace(/\r\nhost: [^\r]*/i, `\r\nhost: ${host}`);
  return Buffer.from(plain.replace('\r\n', '\r\nconnection: close\r\n'), 'latin1');
};

const break_ = async (socket: Socket, fault: Fault, target: URL, request: Buffer): Promise<void> => {
  if (fault === 'drop_before') return void socket.destroy();
  if (ANSWERS[fault] !== undefined) {
    // A gateway that complains may have passed the call on all the same; one that limits has not.
    if (fault !== 'json_429') await forward(target, request);
    return void socket.end(ANSWERS[fault]);
  }
  const whole = await forward(target, request);
  if (fault === 'hang') return;
  if (fault === 'reset') return void socket.resetAndDestroy();
  if (fault === 'truncate') socket.write(whole.subarray(0, whole.length - 20));
  socket.destroySoon();
};

/** Starts both proxies; what no trap is set for goes through as it is. */
export const startYieldFaults = async (service: string, node: string): Promise<YieldFaults> => {
  const traps: { trap: Trap; met: number }[] = [];
  const sockets = new Set<Socket>();
  const handle = async (socket: Socket, target: URL, text: string): Promise<void> => {
    const request = readdressed(text, target);
    const found = traps.find(({ trap, met }) => met === 0 && text.includes(trap.names) && isAbout(text, trap.about));
    if (found) found.met += 1;
    if (found?.trap.onCall && !found.trap.onCall()) return void socket.destroy();
    if (found?.trap.fault) return break_(socket, found.trap.fault, target, request);
    socket.end(await forward(target, request));
  };
  const listen = async (address: string): Promise<Server> => {
    const target = new URL(address);
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
      let text = '';
      socket.setEncoding('latin1').on('data', (part: string) => {
        text += part;
        if (!isWhole(text)) return;
        const whole = text;
        text = '';
        void handle(socket, target, whole).catch(() => socket.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  };
  const [front, back] = [await listen(service), await listen(node)];
  const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: addressOf(front),
    rpcUrl: addressOf(back) + new URL(node).pathname,
    set: (trap) => {
      const kept = { trap, met: 0 };
      traps.push(kept);
      return { met: () => kept.met };
    },
    end: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([front, back].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
};
