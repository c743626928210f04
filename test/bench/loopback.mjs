import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { cleanEnv } from './measure.mjs';

const WARM = 2_000;

const QUOTE = { statusCode: 200, success: true, status: 'quote_ok', message: 'direct', data: { price: '1' } };
const CHARGE = { id: 'ch_1', object: 'charge', amount: 1000, currency: 'usd', paid: true };
/** A JSON-RPC node: cast asks for the chain, then for a balance. */
const RPC = { jsonrpc: '2.0', id: 0, result: '0x1' };

const resultFor = ({ method, url }, body) => {
  if (url.startsWith('/quote/market')) return QUOTE;
  if (url === '/v1/charges/ch_1') return CHARGE;
  return method === 'POST' && url === '/' ? { ...RPC, id: JSON.parse(body).id } : undefined;
};

/** The server, in its own process. It is also the proxy for HTTPS, so it records a peer that calls the internet. */
const serve = () => {
  const unexpected = [];
  const send = (request, response, body) => {
    const result = resultFor(request, body);
    if (result === undefined) unexpected.push(`${request.method} ${request.url}`);
    const text = JSON.stringify(result ?? { error: 'not expected' });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    response.writeHead(result ? 200 : 404, headers).end(text);
  };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => send(request, response, Buffer.concat(chunks).toString()));
  });
  server.on('connect', ({ url }, socket) => {
    unexpected.push(`CONNECT ${url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('message', () => process.send(unexpected));
  process.on('disconnect', () => process.exit());
};

if (process.argv[2] === '--serve') serve();

/** Starts the server in its own process and warms it up. `end` throws if a program called anything else. */
export const startLoopback = async () => {
  const child = fork(fileURLToPath(import.meta.url), ['--serve'], { env: cleanEnv() });
  const [port] = await once(child, 'message');
  const url = `http://127.0.0.1:${port}`;
  for (let count = 0; count < WARM; count += 1) await (await fetch(`${url}/quote/market`)).text();
  const end = async () => {
    child.send('end');
    const [unexpected] = await once(child, 'message');
    child.disconnect();
    if (unexpected.length > 0) throw new Error(`calls that the bench does not expect: ${unexpected.join(', ')}`);
  };
  return { url, end };
};
