import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../../core/failure.ts';
import { isOwnHost } from '../../http/host.ts';
import { readBytes } from '../../http/read-json.ts';
import { answerText, type Dispatch, INVALID_REQUEST, rpcError } from '../../json-rpc.ts';
import type { SolanaChain } from '../chain.ts';
import { READS } from './reads.ts';
import { openSubscriptions } from './subscriptions.ts';
import { TRANSACTIONS } from './transactions.ts';
import { acceptWebSocket, type Peer } from './websocket.ts';

/** A running JSON-RPC of the chain: HTTP on a port, WebSocket on the next, as @solana/web3.js expects. */
export type SolanaRpc = { readonly url: string; readonly port: number; readonly close: () => Promise<void> };

const METHODS = { ...READS, ...TRANSACTIONS };

/** Answers the methods of the chain's JSON-RPC. */
export const dispatchOn =
  (chain: SolanaChain): Dispatch =>
  (method, params) => {
    const found = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    return found && Promise.resolve(found(chain, params));
  };

/** A page of another site may not use the chain: its requests name it as their origin. */
const isOwn = (request: IncomingMessage): boolean => {
  const { origin } = request.headers;
  const isOwnOrigin = origin === undefined || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin);
  return isOwnHost(request) && isOwnOrigin;
};

const FAULT = JSON.stringify({ jsonrpc: '2.0', id: null, ...rpcError(-32603, 'Internal error') });
const TOO_LARGE = JSON.stringify({ jsonrpc: '2.0', id: null, ...rpcError(INVALID_REQUEST, 'Too large') });

const serve = async (dispatch: Dispatch, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const end = (http: number, text: string) =>
    void response.writeHead(http, { 'content-type': 'application/json' }).end(text);
  if (!isOwn(request)) return end(403, FAULT);
  if (request.method !== 'POST') return end(405, FAULT);
  const body = await readBytes(request);
  return body ? end(200, await answerText(dispatch, new TextDecoder().decode(body))) : end(413, TOO_LARGE);
};

/** One client of the WebSocket: it has subscriptions beside the usual methods. */
const welcome = (chain: SolanaChain, request: IncomingMessage, socket: Duplex, onEnd: () => void): Peer => {
  const usual = dispatchOn(chain);
  const subscriptions = openSubscriptions(chain, (text) => peer.send(text));
  const dispatch: Dispatch = (method, params) => {
    if (method === 'signatureSubscribe') return Promise.resolve(subscriptions.subscribe(params));
    if (method === 'signatureUnsubscribe') return Promise.resolve(subscriptions.unsubscribe(params));
    return usual(method, params);
  };
  const onText = (text: string): void => {
    answerText(dispatch, text).then(
      (answer) => answer && peer.send(answer),
      () => peer.send(FAULT),
    );
  };
  const peer = acceptWebSocket(request, socket, {
    onText,
    onEnd: () => {
      subscriptions.end();
      onEnd();
    },
  });
  return peer;
};

const listenOn = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const TRIES = 30;

/** Two ports that follow each other: the last ones, or else free ones. */
const listenOnBoth = async (http: () => Server, ws: () => Server, last: number) => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [one, two] = [http(), ws()];
    try {
      const port = await listenOn(one, attempt === 0 ? last : 0);
      await listenOn(two, port + 1);
      return { port, servers: [one, two] as const };
    } catch {
      await Promise.all([closed(one), closed(two)]);
    }
  }
  throw new Failure(
    'sandbox_unavailable',
    'no two free ports that follow each other were found for the Solana JSON-RPC',
  );
};

/** Starts the JSON-RPC, on the port it had last where that is free. `onRequest` is called for every one. */
export const startSolanaRpc = async (chain: SolanaChain, last: number, onRequest: () => void): Promise<SolanaRpc> => {
  const dispatch = dispatchOn(chain);
  const peers = new Set<Peer>();
  const http = () =>
    createServer((request, response) => {
      onRequest();
      serve(dispatch, request, response).catch(() => response.writableEnded || response.end(FAULT));
    });
  const ws = () =>
    createServer((_, response) => void response.writeHead(426).end()).on('upgrade', (request, socket) => {
      onRequest();
      if (!isOwn(request) || request.headers['sec-websocket-key'] === undefined) return void socket.destroy();
      const peer = welcome(chain, request, socket, () => peers.delete(peer));
      peers.add(peer);
    });
  const { port, servers } = await listenOnBoth(http, ws, last);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const peer of peers) peer.close();
      await Promise.all(servers.map(closed));
    },
  };
};
