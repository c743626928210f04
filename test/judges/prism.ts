import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { FOR_SANDBOX } from '../sandbox/through.ts';
import { judgesFile, startTool } from './tools.ts';

const LOOK_EVERY_MS = 20;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );

/** A port that was free a moment ago. */
const freePort = async (): Promise<string> => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** Starts Prism as a validating proxy before a service; ended after the test. */
export const startPrism = async (openapi: string, upstream: string, args: readonly string[] = []): Promise<string> => {
  const port = await freePort();
  const at = ['--host', '127.0.0.1', '--port', port];
  const { child, said, ended } = startTool(judgesFile('.bin/prism'), ['proxy', ...args, ...at, openapi, upstream]);
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  while (!said.output.includes('Prism is listening')) {
    if (child.exitCode !== null) throw new Error(said.output);
    await sleep(LOOK_EVERY_MS);
  }
  return `http://127.0.0.1:${port}`;
};

/** An answer that passed. */
export type Passed = { readonly method: string; readonly path: string; readonly http: number; readonly status: string };

const statusIn = (body: string): string => {
  try {
    return String(JSON.parse(body).status);
  } catch {
    return '';
  }
};

const passOn = (incoming: IncomingMessage, outgoing: ServerResponse, passed: Passed[]): void => {
  const { method = '', url: path = '', headers } = incoming;
  const { [FOR_SANDBOX]: sandbox, host: _, ...rest } = headers;
  const sent = request(String(sandbox) + path, { method, headers: rest }, (answer) => {
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

/** The far end of the proxy: passes each call on to the sandbox that it names, and keeps what was answered. */
export const startRouter = async (): Promise<{ readonly url: string; readonly passed: readonly Passed[] }> => {
  const passed: Passed[] = [];
  const server = createServer((incoming, outgoing) => passOn(incoming, outgoing, passed));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await listen(server), passed };
};
