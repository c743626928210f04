import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBundle } from './bundle.mjs';
import { openConnection } from './connection.mjs';
import { inTurn } from './measure.mjs';
import { startSandbox } from './running.mjs';

const JUDGES = fileURLToPath(new URL('../judges', import.meta.url));
const PRISM = join(JUDGES, 'node_modules', '.bin', 'prism');
const PATH = '/quote/market?from=BTC&to=USDT';
const CLIENTS = 16;
const ROUNDS = 7;
/** Requests before the first round, so that both have their code compiled. */
const WARM = 1_500;
/** Requests of a round: about as many milliseconds of each. */
const REQUESTS = { sandbox: 3_000, prism: 400 };
const START_MS = 30_000;

/** The contract's own schema of the GET, as OpenAPI; its example is what the sandbox answered. */
const documentOf = async (folder, example) => {
  const { market, toJSONSchema } = await loadBundle(
    folder,
    'contract',
    `export { market } from './src/contract/quote/market.ts'; export { toJSONSchema } from 'zod';`,
  );
  const schemaOf = (schema) => {
    // Components of the contract come as references, which are put in where they are used.
    const { $schema: _, $defs = {}, ...whole } = toJSONSchema(schema);
    const resolved = (part) => {
      if (part === null || typeof part !== 'object') return part;
      if (Array.isArray(part)) return part.map(resolved);
      if (part.$ref) return resolved($defs[part.$ref.replace('#/$defs/', '')]);
      return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]));
    };
    return resolved(whole);
  };
  const parameters = Object.entries(market.query).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schemaOf(schema),
  }));
  const properties = {
    statusCode: { const: 200 },
    success: { const: true },
    status: { const: 'quote_ok' },
    message: { type: 'string' },
    data: schemaOf(market.success.quote_ok.data),
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return {
    openapi: '3.1.0',
    info: { title: 'one GET', version: '1' },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
    security: [{ key: [] }],
    paths: {
      '/quote/market': {
        get: {
          parameters,
          responses: { 200: { description: 'quote', content: { 'application/json': { schema, example } } } },
        },
      },
    },
  };
};

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Waits until a server answers the GET as it should. */
const whenReady = async (url, headers) => {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const answer = await fetch(url + PATH, { headers }).catch(() => undefined);
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} does not answer: ${answer && (await answer.text())}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** Prism as it comes, or without its log of requests, which is most of its work. */
const startPrism = async (folder, example, headers, options = []) => {
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(await documentOf(folder, example)));
  const port = await freePort();
  const child = spawn(process.execPath, [PRISM, 'mock', ...options, '-p', String(port), document], {
    stdio: 'ignore',
  });
  const end = () =>
    new Promise((resolve) => {
      child.once('close', resolve);
      child.kill('SIGKILL');
    });
  const url = `http://127.0.0.1:${port}`;
  await whenReady(url, headers);
  return { url, end };
};

/** The GET by all clients at once: milliseconds a request. */
const run = async (clients, requests) => {
  let left = requests;
  const start = performance.now();
  const goOn = async ({ call }) => {
    for (; left > 0; ) {
      left -= 1;
      const { http, text } = await call('GET', PATH);
      if (http !== 200) throw new Error(`${http} ${text}`);
    }
  };
  await Promise.all(clients.map(goOn));
  return (performance.now() - start) / requests;
};

const openClients = (url, headers) => Array.from({ length: CLIENTS }, () => openConnection(url, headers));

/** Medians of the sandbox and of a Prism, in turn. */
const compare = async (address, prism, headers) => {
  const [own, other] = [openClients(address.url, headers), openClients(prism.url, headers)];
  try {
    for (const clients of [own, other]) await run(clients, WARM);
    return await inTurn(
      ROUNDS,
      () => run(own, REQUESTS.sandbox),
      () => run(other, REQUESTS.prism),
    );
  } finally {
    for (const { close } of [...own, ...other]) close();
    await prism.end();
  }
};

const perSecond = (milliseconds) => `${Math.round(1000 / milliseconds)} /s`;

/** The same GET with the same schema, of the sandbox and of Prism's mock. */
export const benchMock = async () => {
  const what = 'GET /quote/market, 16 clients';
  if (!existsSync(PRISM)) {
    return [{ what, other: 'prism: npm ci --ignore-scripts --prefix test/judges', least: 8 }];
  }
  const folder = await mkdtemp(join(tmpdir(), 'bursar-bench-mock-'));
  const { address, end } = await startSandbox();
  const headers = { 'x-api-key': address.api_key };
  try {
    const example = await (await fetch(address.url + PATH, { headers })).json();
    const [own, prism] = await compare(address, await startPrism(folder, example, headers), headers);
    const silent = await startPrism(folder, example, headers, ['--verboseLevel', 'silent']);
    const [, quiet] = await compare(address, silent, headers);
    const other = `prism mock: ${perSecond(prism)}; without its log: ${perSecond(quiet)}`;
    return [{ what, own: perSecond(own), other, value: prism / own, least: 8 }];
  } finally {
    await end();
    await rm(folder, { recursive: true, force: true });
  }
};
