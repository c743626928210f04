import { createServer } from 'node:http';

/** A receiver of webhooks: it stores the newest status of each payment. It answers 503 while `isDown()`. */
export const startReceiver = async (isDown = () => false) => {
  const statuses = new Map();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (isDown()) return response.writeHead(503).end();
    const { data } = JSON.parse(body);
    statuses.set(data.id, data.status);
    return response.writeHead(204).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/webhook`, statuses, close: () => server.close() };
};
