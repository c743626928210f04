import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** One client of a WebSocket (RFC 6455): whole text messages, both ways. */
export type Peer = {
  readonly send: (text: string) => void;
  readonly close: () => void;
};

type Handlers = { readonly onText: (text: string) => void; readonly onEnd: () => void };

/** RFC 6455, section 1.3. */
const KEY_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MOST_BYTES = 64 * 1024;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const LAST = 0x80;
const MASKED = 0x80;

type Frame = { readonly kind: number; readonly body: Buffer; readonly size: number };

/** A whole frame at the start of the bytes, `undefined` while it is not all there, or `false` for one that is not taken. */
const readFrame = (bytes: Buffer): Frame | undefined | false => {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  if ((first & LAST) === 0 || (second & MASKED) === 0 || short === 127) return false;
  const start = short === 126 ? 4 : 2;
  if (bytes.length < start + 4) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const size = start + 4 + length;
  if (size > MOST_BYTES) return false;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const body = Buffer.from(bytes.subarray(start + 4, size)).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { kind: first & 0x0f, body: Buffer.from(body), size };
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

const HEAD = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];

/** Answers an upgrade, and gives the client's texts to its handlers. What is no text, ping or close ends it. */
export const acceptWebSocket = (request: IncomingMessage, socket: Duplex, handlers: Handlers): Peer => {
  const key = String(request.headers['sec-websocket-key']);
  const accept = createHash('sha1')
    .update(key + KEY_SUFFIX)
    .digest('base64');
  socket.write(`${[...HEAD, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
  const write = (kind: number, body: Buffer) => socket.writable && socket.write(writeFrame(kind, body));
  /** A client that gets its own reason back knows that it has not been cut off, and does not come again. */
  const end = (reason: Buffer = Buffer.alloc(0)) => {
    write(CLOSE, reason);
    socket.end();
  };
  let waiting = Buffer.alloc(0);
  const take = ({ kind, body }: Frame) => {
    if (kind === TEXT) handlers.onText(body.toString('utf8'));
    else if (kind === PING) write(PONG, body);
    else if (kind !== PONG) end(kind === CLOSE ? body.subarray(0, 2) : undefined);
  };
  socket.on('data', (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      const frame = readFrame(waiting);
      if (frame === undefined) return;
      if (frame === false) return end();
      waiting = waiting.subarray(frame.size);
      take(frame);
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', handlers.onEnd);
  return { send: (text) => write(TEXT, Buffer.from(text)), close: () => socket.destroy() };
};
