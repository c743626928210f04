import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server on a free port of this machine. Returns its URL. */
export const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );

/** A port that is free now. Another program can still take it. */
export const freePort = async (): Promise<string> => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await new Promise((resolve) => server.close(resolve));
  return port;
};
