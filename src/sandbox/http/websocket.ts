import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_BODY_BYTES } from '../assumptions.ts';
import { answerText, type Dispatch, FAULT } from '../json-rpc.ts';
import { type Answer, refusal } from './envelope.ts';
import { endWith } from './listen.ts';

/** The headers by which a client offers another protocol. */
const OFFERS = /^(?:upgrade|http2-settings)$/i;

/** The head of a request, without the headers that offer another protocol. */
const plainHead = ({ method, url, rawHeaders }: IncomingMessage): string => {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  const plain = lines
    .filter(([name]) => !OFFERS.test(name))
    .map(([name, value]) =>
      /^connection$/i.test(name) ? [name, value.replaceAll(/upgrade|http2-settings/gi, '')] : [name, value],
    );
  return [`${method} ${url} HTTP/1.1`, ...plain.map((line) => line.join(': ')), '', ''].join('\r\n');
};

const NO_WEBSOCKET = refusal(400, 'bad_request', 'This is no WebSocket of version 13.');

/**
 * Passes each WebSocket request to `welcome`. An answer from `welcome` refuses the WebSocket. Other offers, such as
 * HTTP/2, are declined: the server reads the request again without the offer.
 */
export const takeUpgrades = (server: Server, welcome: (upgrade: Upgrade) => Answer | undefined): void => {
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
      server.emit('connection', socket);
      return;
    }
    const refused = isWebSocket(request) ? welcome({ request, socket, head }) : NO_WEBSOCKET;
    if (refused) endWith(socket, refused);
  });
};

/** The state of one JSON-RPC client over a WebSocket: the dispatch of its calls, and the clean-up at its end. */
export type Session = { readonly dispatch: Dispatch; readonly end: () => void };

/** Opens JSON-RPC over WebSockets. Each client has its own session. `onUse` is called for every message. */
export const openSockets = (onUse: () => void) => {
  const peers = new Set<Peer>();
  return {
    welcome: (upgrade: Upgrade, open: (send: (text: string) => void) => Session) => {
      const session = open((text) => peer.send(text));
      const onText = (text: string): void => {
        onUse();
        answerText(session.dispatch, text).then(
          (answer) => answer && peer.send(answer),
          () => peer.send(FAULT),
        );
      };
      const onEnd = () => {
        peers.delete(peer);
        session.end();
      };
      const peer = acceptWebSocket(upgrade, { onText, onEnd });
      peers.add(peer);
    },
    /** Closes all connections. */
    close: () => {
      for (const peer of peers) peer.close();
    },
  };
};

/** One client of a WebSocket (RFC 6455), which gets whole text messages. */
export type Peer = { readonly send: (text: string) => void; readonly close: () => void };

/** A request to upgrade to a WebSocket, and the bytes that the client sent before the response. */
export type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

type Handlers = { readonly onText: (text: string) => void; readonly onEnd: () => void };

/** RFC 6455, section 1.3. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CONTINUATION = 0;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const LAST = 0x80;
const RESERVED = 0x70;
const MASKED = 0x80;

/** The connection closes when more bytes than this wait for a client that does not read. */
const MAX_UNREAD_BYTES = 16 * MAX_BODY_BYTES;

type Frame = { readonly kind: number; readonly isLast: boolean; readonly body: Buffer; readonly size: number };

/** The length of a frame's body and the offset of its mask; `undefined` while bytes are missing. */
const measure = (bytes: Buffer, short: number): { readonly length: number; readonly start: number } | undefined => {
  if (short < 126) return { length: short, start: 2 };
  const start = short === 126 ? 4 : 10;
  if (bytes.length < start) return undefined;
  return { length: short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)), start };
};

/** The first frame of the bytes; `undefined` while bytes are missing, `false` for an invalid frame. */
const readFrame = (bytes: Buffer): Frame | undefined | false => {
  const [first = 0, second = 0] = bytes;
  if (bytes.length < 2) return undefined;
  if ((first & RESERVED) !== 0 || (second & MASKED) === 0) return false;
  const measured = measure(bytes, second & 0x7f);
  if (!measured) return undefined;
  const { length, start } = measured;
  if (length > MAX_BODY_BYTES) return false;
  const size = start + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const body = Buffer.from(bytes.subarray(start + 4, size)).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { kind: first & 0x0f, isLast: (first & LAST) !== 0, body: Buffer.from(body), size };
};

const lengthOf = (body: Buffer): Buffer => {
  if (body.length < 126) return Buffer.from([body.length]);
  const [kind, size] = body.length < 65_536 ? [126, 2] : [127, 8];
  const length = Buffer.alloc(1 + size);
  length[0] = kind;
  length.writeUIntBE(body.length, length.length - Math.min(size, 6), Math.min(size, 6));
  return length;
};

const writeFrame = (kind: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([LAST | kind]), lengthOf(body), body]);

/** Joins the frames of a text message; `undefined` until it is complete, `false` for a frame out of order. */
const openMessage = (): ((frame: Frame) => string | undefined | false) => {
  let parts: Buffer[] | undefined;
  return ({ kind, isLast, body }) => {
    if ((kind === CONTINUATION) !== (parts !== undefined)) return false;
    const all = [...(parts ?? []), body];
    if (all.reduce((sum, { length }) => sum + length, 0) > MAX_BODY_BYTES) return false;
    parts = isLast ? undefined : all;
    return isLast ? Buffer.concat(all).toString('utf8') : undefined;
  };
};

/** Calls `onFrame` for each complete frame of a stream, and `onInvalid` for bytes that are no frame. */
const splitFrames = (onFrame: (frame: Frame) => void, onInvalid: () => void): ((bytes: Buffer) => void) => {
  let waiting = Buffer.alloc(0);
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      const frame = readFrame(waiting);
      if (frame === undefined) return;
      if (frame === false) return onInvalid();
      waiting = waiting.subarray(frame.size);
      onFrame(frame);
    }
  };
};

/** Whether a request asks for a WebSocket of version 13. */
export const isWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  headers['sec-websocket-key'] !== undefined;

const HEAD = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];

const acceptOf = (request: IncomingMessage): string =>
  createHash('sha1')
    .update(String(request.headers['sec-websocket-key']) + KEY_SUFFIX)
    .digest('base64');

/** Accepts an upgrade and passes the client's text messages to the handlers. An unexpected frame closes the connection. */
export const acceptWebSocket = ({ request, socket, head }: Upgrade, handlers: Handlers): Peer => {
  socket.write(`${[...HEAD, `Sec-WebSocket-Accept: ${acceptOf(request)}`].join('\r\n')}\r\n\r\n`);
  const write = (kind: number, body: Buffer): void => {
    if (!socket.writable) return;
    socket.write(writeFrame(kind, body));
    if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
  };
  /** Sends a close frame with the client's own reason. Without the frame, clients reconnect as after a lost connection. */
  const end = (reason: Buffer = Buffer.alloc(0)) => {
    write(CLOSE, reason);
    socket.end();
  };
  const joinFrames = openMessage();
  const onTextFrame = (frame: Frame): void => {
    const text = joinFrames(frame);
    if (text === false) end();
    else if (text !== undefined) handlers.onText(text);
  };
  const onFrame = (frame: Frame): void => {
    const { kind, body } = frame;
    if (kind === TEXT || kind === CONTINUATION) onTextFrame(frame);
    else if (kind === PING) write(PONG, body);
    else if (kind !== PONG) end(kind === CLOSE ? body.subarray(0, 2) : undefined);
  };
  socket.on('error', () => socket.destroy());
  socket.on('close', handlers.onEnd);
  const onBytes = splitFrames(onFrame, () => end());
  socket.on('data', onBytes);
  socket.unshift(head);
  return { send: (text) => write(TEXT, Buffer.from(text)), close: () => socket.destroy() };
};
