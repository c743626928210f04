import { connect } from 'node:net';

/**
 * A kept HTTP connection whose calls come one after the other, written by hand: whoever measures a server shares the
 * processors with it, and `fetch` takes as long as the server does.
 */
export const openConnection = (url) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let buffer = Buffer.alloc(0);
  let waiting;

  /** The first whole answer of what has come, if there is one. */
  const take = () => {
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = buffer.latin1Slice(0, end);
    const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error(`an answer without a length: ${head}`);
    if (buffer.length < end + 4 + length) return undefined;
    const text = buffer.utf8Slice(end + 4, end + 4 + length);
    buffer = buffer.subarray(end + 4 + length);
    return { http: Number(head.slice(9, 12)), text };
  };
  socket.on('data', (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    const answer = take();
    if (answer) waiting.resolve(answer);
  });
  const fail = (error) => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error(`${url} closed the connection`)));

  const call = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      const text = body === undefined ? '' : JSON.stringify(body);
      const own =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const lines = Object.entries({ host: `${hostname}:${port}`, ...headers, ...own }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
    });
  /** The data of an answer that must be a success. */
  const ask = async (method, path, headers, body) => {
    const { text } = await call(method, path, headers, body);
    const envelope = JSON.parse(text);
    if (!envelope.success) throw new Error(`${path}: ${envelope.status}: ${envelope.message}`);
    return envelope.data;
  };
  return { call, ask, close: () => socket.destroy() };
};
