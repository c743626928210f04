import { connect } from 'node:net';

/**
 * An HTTP connection that stays open and makes one call at a time. It is written by hand, because client and server share the
 * processors, and `fetch` takes as long as the server.
 */
export const openConnection = (url, headers) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = lines.join('');
  let buffer = Buffer.alloc(0);
  let waiting;

  /** Removes the first whole answer from the buffer and returns it; `undefined` if no answer is whole. */
  const take = () => {
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const answerHead = buffer.latin1Slice(0, end);
    const length = Number(/\ncontent-length: (\d+)/i.exec(answerHead)?.[1]);
    if (Number.isNaN(length)) throw new Error(`an answer without a length: ${answerHead}`);
    if (buffer.length < end + 4 + length) return undefined;
    const text = buffer.utf8Slice(end + 4, end + 4 + length);
    buffer = buffer.subarray(end + 4 + length);
    return { http: Number(answerHead.slice(9, 12)), text };
  };
  socket.on('data', (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    const answer = take();
    if (answer) waiting.resolve(answer);
  });
  const fail = (error) => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error(`${url} closed the connection`)));

  const call = (method, path, body) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      const start = `${method} ${path} HTTP/1.1\r\n${head}`;
      if (body === undefined) return void socket.write(`${start}\r\n`);
      const text = JSON.stringify(body);
      const length = Buffer.byteLength(text);
      socket.write(`${start}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`);
    });
  /** Returns the data of the answer. Throws if the answer is an error. */
  const ask = async (method, path, body) => {
    const { text } = await call(method, path, body);
    const envelope = JSON.parse(text);
    if (!envelope.success) throw new Error(`${path}: ${envelope.status}: ${envelope.message}`);
    return envelope.data;
  };
  return { call, ask, close: () => socket.destroy() };
};

/** Connects to a sandbox with the API key and the control key. */
export const connectTo = ({ url, api_key, control_key }) =>
  openConnection(url, { 'x-api-key': api_key, 'x-control-key': control_key });
