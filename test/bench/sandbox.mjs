import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connectTo, openConnection } from './connection.mjs';
import { rateRow, share } from './load.mjs';
import { cleanEnv, inTurn, median, PROGRAM, RUNS, ratioRow, timed, timeOf } from './measure.mjs';
import { fundedPayer, pay } from './payments.mjs';
import { prismScript } from './peers.mjs';
import { childrenOf, startSandbox } from './running.mjs';

const PATH = '/quote/market?from=BTC&to=USDT';
const CLIENTS = 16;
/** Requests before the first round, so that the code of both servers is compiled. */
const WARM = 1_500;
/** Requests of a round. Both numbers take about the same time. */
const REQUESTS = { sandbox: 3_000, prism: 400 };
const START_MS = 30_000;
const POLL_MS = 5;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Waits until a server answers the GET. */
const whenReady = async (url, headers) => {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const response = await fetch(url + PATH, { headers }).catch(() => undefined);
    const text = await response?.text();
    if (response?.status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} does not answer: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const KEY = { 'x-api-key': 'bench' };

/** Starts Prism with the document of the whole service, as `bursar openapi` prints it. */
const startPrism = async (document, options = []) => {
  const port = await freePort();
  const child = spawn(process.execPath, [prismScript(), 'mock', ...options, '-p', String(port), document], {
    env: cleanEnv(),
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const end = () =>
    new Promise((resolve) => {
      child.once('close', resolve);
      child.kill('SIGKILL');
    });
  await whenReady(url, KEY);
  return { url, headers: KEY, end };
};

/** Starts a sandbox and waits until it answers the GET. */
const startReady = async () => {
  const sandbox = await startSandbox('--ephemeral');
  const headers = { 'x-api-key': sandbox.address.api_key };
  await whenReady(sandbox.address.url, headers);
  return { ...sandbox, url: sandbox.address.url, headers };
};

/** Throws if the sandbox started a node of a chain or the Solana runtime before a call used them. */
const assertBare = async ({ pid, address }) => {
  const connection = connectTo(address);
  const { chains, solana_rpc } = await connection.ask('GET', '/_sandbox/health');
  connection.close();
  const isBare = childrenOf(pid).length === 0 && chains.length === 0 && solana_rpc === null;
  if (!isBare) throw new Error('the sandbox started a chain or a node that no call used');
};

/** From the start of the process to the first answer to the GET. */
const startRow = async (document) => {
  const startTime = (start, check) => async () => {
    const began = performance.now();
    const server = await start();
    const took = performance.now() - began;
    await check?.(server);
    await server.end();
    return took;
  };
  const times = await inTurn(
    RUNS,
    startTime(startReady, assertBare),
    startTime(() => startPrism(document)),
  );
  return ratioRow('the sandbox answers, from its start', "Prism's mock", times, 0.35);
};

/** From the start of the process to the first payment on its chain. */
const firstPaymentRow = async () => {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { address, began, end } = await startSandbox('--ephemeral');
    const connection = connectTo(address);
    await pay(connection, await fundedPayer(connection));
    times.push(performance.now() - began);
    connection.close();
    await end();
  }
  return { label: '– and has confirmed a first payment', value: median(times), unit: 'ms', budget: 1000 };
};

/** Sends the GET `requests` times, with all clients at once. */
const request = (clients, requests) =>
  share(
    clients.map(({ call }) => async () => {
      const { http, text } = await call('GET', PATH);
      if (http !== 200) throw new Error(`${http} ${text}`);
    }),
    requests,
  );

const openClients = ({ url, headers }) => Array.from({ length: CLIENTS }, () => openConnection(url, headers));

/** Requests a second of the sandbox and of a Prism, in turn. */
const compare = async (sandbox, prism) => {
  const [own, other] = [openClients(sandbox), openClients(prism)];
  for (const clients of [own, other]) await request(clients, WARM);
  const times = await inTurn(
    RUNS,
    timed(() => request(own, REQUESTS.sandbox)),
    timed(() => request(other, REQUESTS.prism)),
  );
  for (const { close } of [...own, ...other]) close();
  await prism.end();
  return [(1000 * REQUESTS.sandbox) / times[0], (1000 * REQUESTS.prism) / times[1]];
};

const requestRows = async (document) => {
  const sandbox = await startReady();
  const usual = await compare(sandbox, await startPrism(document));
  const silent = await compare(sandbox, await startPrism(document, ['--verboseLevel', 'silent']));
  await sandbox.end();
  return [
    rateRow(`GET /quote/market, ${CLIENTS} clients`, "Prism's mock", usual, 8),
    rateRow('– the same', "Prism's mock without its log", silent),
  ];
};

/** The sandbox against Prism's mock of the same service. */
export const benchMock = async (home) => {
  const document = join(home, 'openapi.json');
  await timeOf('sh', ['-c', `"$0" "$1" openapi > "$2"`, process.execPath, PROGRAM, document], cleanEnv());
  return [await startRow(document), await firstPaymentRow(), ...(await requestRows(document))];
};
