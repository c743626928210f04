import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Endpoint } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { FOR_SANDBOX } from '../sandbox/through.ts';
import { listen } from './listen.ts';

/** An answer that passed. */
export type Passed = { readonly method: string; readonly path: string; readonly http: number; readonly status: string };

const statusIn = (body: string): string => {
  try {
    return String(JSON.parse(body).status);
  } catch {
    return '';
  }
};

const passOn = (incoming: IncomingMessage, outgoing: ServerResponse, sandbox: string, passed: Passed[]): void => {
  const { method = '', url: path = '', headers } = incoming;
  const { [FOR_SANDBOX]: named, host: _, ...rest } = headers;
  const sent = request(String(named ?? sandbox) + path, { method, headers: rest }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const status = statusIn(Buffer.concat(chunks).toString());
      passed.push({ method, path: path.replace(/\?.*/, ''), http: answer.statusCode ?? 0, status });
    });
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  incoming.pipe(sent);
};

/** Passes each call on to the sandbox that it names, or else to the one given, and keeps what was answered. */
export const startRouter = async (
  sandbox = '',
): Promise<{ readonly url: string; readonly passed: readonly Passed[] }> => {
  const passed: Passed[] = [];
  const server = createServer((incoming, outgoing) => passOn(incoming, outgoing, sandbox, passed));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await listen(server), passed };
};

/** Whether a path is one of an endpoint's. */
const matches = (path: string, template: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** The endpoint that an answer is of. */
export const endpointOf = ({ method, path }: Passed): Endpoint | undefined =>
  ENDPOINTS.find((endpoint) => endpoint.method === method && matches(path, endpoint.path));
