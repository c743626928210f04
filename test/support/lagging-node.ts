import { startServer } from './server.ts';

/**
 * A node before another that tells of no transaction of any payer: it lags behind, so that a stale nonce passes a review
 * and reaches the service. Gone with the test.
 */
export const startLaggingNode = async (rpcUrl: string): Promise<string> => {
  const { url } = await startServer(async ({ body }, response) => {
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { method } = JSON.parse(body) as { method: string };
    const told = method === 'eth_getTransactionCount' ? { result: '0x0' } : {};
    const text = JSON.stringify({ ...((await answer.json()) as object), ...told });
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  return url;
};
