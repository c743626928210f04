import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that a server of a test received. */
export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Responder = (received: Received, response: ServerResponse) => void | Promise<void>;

/** Answers with an envelope of the service. */
export const envelope = (http: number, status: string, rest: Readonly<Record<string, unknown>> = {}): Responder => {
  const body = JSON.stringify({ statusCode: http, success: http < 300, status, message: `it is ${status}`, ...rest });
  return (_, response) => void response.writeHead(http, { 'content-type': 'application/json' }).end(body);
};

/** Answers with any text. */
export const raw =
  (http: number, body: string, headers: Readonly<Record<string, string>> = {}): Responder =>
  (_, response) =>
    void response.writeHead(http, headers).end(body);

/** The body of a request as text. */
export const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
};

/** Starts a server until the end of the test. `received` has its requests in order. */
export const startServer = async (
  respond: Responder,
): Promise<{ readonly url: string; readonly received: Received[] }> => {
  const received: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const incoming = { method, path: url, headers, body: await readBody(request) };
    received.push(incoming);
    await respond(incoming, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
};
