import { startServer } from './server.ts';

/**
 * Starts a proxy before a node that returns the nonce 0 for every payer, as a lagging node does. A stale nonce then passes the
 * review and reaches the service. It stops after the test.
 */
export const startLaggingNode = async (rpcUrl: string): Promise<string> => {
  const { url } = await startServer(async ({ body }, response) => {
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { method } = JSON.parse(body) as { method: string };
    const replaced = method === 'eth_getTransactionCount' ? { result: '0x0' } : {};
    const text = JSON.stringify({ ...((await answer.json()) as object), ...replaced });
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  return url;
};
