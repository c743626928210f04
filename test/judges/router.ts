import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Endpoint } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { FOR_SANDBOX } from '../sandbox/through.ts';
import { listen } from './listen.ts';

/** A call through the router, with the HTTP code and the status of its answer. */
export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly http: number;
  readonly status: string;
};

const statusIn = (body: string): string => {
  try {
    return String(JSON.parse(body).status);
  } catch {
    return '';
  }
};

const relay = (incoming: IncomingMessage, outgoing: ServerResponse, sandbox: string, exchanges: Exchange[]): void => {
  const { method = '', url: path = '', headers } = incoming;
  const { [FOR_SANDBOX]: target, host: _, ...rest } = headers;
  const sent = request(String(target ?? sandbox) + path, { method, headers: rest }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const status = statusIn(Buffer.concat(chunks).toString());
      exchanges.push({ method, path: path.replace(/\?.*/, ''), http: answer.statusCode ?? 0, status });
    });
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
};

/** Starts a server that relays each call to the sandbox in its header, or else to `sandbox`, and records the exchange. */
export const startRouter = async (
  sandbox = '',
): Promise<{ readonly url: string; readonly exchanges: readonly Exchange[] }> => {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => relay(incoming, outgoing, sandbox, exchanges));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await listen(server), exchanges };
};

/** Whether a path matches the path of an endpoint, such as `/payment/{id}/status`. */
const matches = (path: string, template: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** The endpoint of a call, or `undefined` if the contract does not have it. */
export const endpointOf = ({ method, path }: Exchange): Endpoint | undefined =>
  ENDPOINTS.find((endpoint) => endpoint.method === method && matches(path, endpoint.path));
