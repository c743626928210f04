import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, asker } from './ask.ts';
import { type Ended, runBursar, type Settings } from './bursar.ts';
import { newEvmKey, SANDBOX_ENV } from './cheap-key.ts';
import { runInProcess } from './in-process.ts';
import { readBody } from './server.ts';

export const RECEIVERS = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
] as const;

/** A whole payment of 10 USDT on polygon, 70/30, as a body of `pay run`. */
export const PAYMENT = {
  tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
  payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
  split_payment_config: [
    { receiver_wallet: RECEIVERS[0], receiver_percent: 70 },
    { receiver_wallet: RECEIVERS[1], receiver_percent: 30 },
  ],
  from_currency_symbol: 'USDT',
  amount_from: '10',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  payer_email: 'payer@example.com',
};

type Answer = { readonly status: number; readonly body: string };

/** Answers a call between the tool and the sandbox. `forward` calls the sandbox; without an answer it ends the response itself. */
export type Meddler = (
  request: { readonly method: string; readonly path: string; readonly body: string; readonly headers: Headers },
  forward: () => Promise<Answer>,
  response: ServerResponse,
) => Promise<Answer | undefined>;

/** A home with a running sandbox and a funded key named `payer`. */
export type Journey = {
  readonly home: string;
  readonly address: string;
  readonly bursar: (args: readonly string[], settings?: Settings) => Promise<Ended>;
  /** The same, its standard output parsed. */
  readonly json: (
    args: readonly string[],
    settings?: Settings,
  ) => Promise<{ code: number | null; data: Record<string, never> }>;
  /** Calls the service or its control without the tool. */
  readonly ask: Ask;
  /** The USDT balance of an address on polygon, read from the chain. */
  readonly balance: (address: string) => Promise<number>;
  /** The number of signed transactions in the journals of the home. */
  readonly signatures: () => Promise<number>;
  /** Puts a meddler between the tool and the sandbox while some work runs. */
  readonly through: <T>(meddler: Meddler, work: () => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

const meddleWith = (target: string, meddler: Meddler): Server => {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '' } = request;
    const body = await readBody(request);
    const headers = new Headers();
    for (const name of ['x-api-key', 'x-control-key', 'content-type']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const forward = async () => {
      const answer = await fetch(target + path, { method, headers, ...(body && { body }) });
      return { status: answer.status, body: await answer.text() };
    };
    const answer = await meddler({ method, path, body, headers }, forward, response);
    if (answer) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  };
  return createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
};

const signaturesIn = async (home: string): Promise<number> => {
  const folder = join(home, 'state', 'journal');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.ndjson'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('').match(/"step":"signed(?:_part)?"/g)?.length ?? 0;
};

/** Runs the program, as a new process or in the process of the test. */
type Run = typeof runBursar;

/** Runs the program as processes until `change` is called, and then in the process of the test. */
export const processesFirst = () => {
  let chosen: Run = runBursar;
  return {
    run: ((home, args, settings) => chosen(home, args, settings)) satisfies Run,
    change: (): void => {
      chosen = inThisProcess;
    },
  };
};

/** Runs in this process, except with a file as standard output or with NODE_OPTIONS, which need a new process. */
const inThisProcess: Run = (home, args, settings) =>
  settings?.stdout === undefined && settings?.env?.['NODE_OPTIONS'] === undefined
    ? runInProcess(home, args, settings)
    : runBursar(home, args, settings);

/**
 * Starts a sandbox in a new home and funds a key. Call `end` after the tests. The built program runs in the process of the test,
 * which takes a tenth of the time of a new process. Pass `runBursar` to start processes.
 */
export const startJourney = async (run: Run = inThisProcess): Promise<Journey> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-journey-'));
  const bursar = (args: readonly string[], settings: Settings = {}) =>
    run(home, args, { ...settings, env: { ...SANDBOX_ENV, ...settings.env } });
  const json: Journey['json'] = async (args, settings) => {
    const { code, stdout } = await bursar([...args, '--json'], settings);
    return { code, data: JSON.parse(stdout) };
  };
  const { data: sandbox } = await json(['sandbox', 'start', '--ephemeral']);
  const { address } = await newEvmKey(home, 'payer');
  const ask = asker(sandbox as unknown as Parameters<typeof asker>[0]);
  await ask('POST', '/_sandbox/fund', { address, chain: 'polygon' });
  const serverFile = join(home, 'sandbox', 'server.json');
  return {
    home,
    address,
    bursar,
    json,
    ask,
    balance: async (holder) => {
      const { balances } = await ask('GET', `/_sandbox/balances?address=${holder}&chain=polygon`);
      const held = balances as readonly { readonly symbol: string; readonly amount: unknown }[];
      return Number(held.find(({ symbol }) => symbol === 'USDT')?.amount);
    },
    signatures: () => signaturesIn(home),
    through: async (meddler, work) => {
      const original = await readFile(serverFile, 'utf8');
      const { url } = JSON.parse(original);
      const server = meddleWith(url, meddler);
      const port = await listen(server);
      await writeFile(serverFile, original.replace(url, `http://127.0.0.1:${port}`));
      try {
        return await work();
      } finally {
        await writeFile(serverFile, original);
        server.closeAllConnections();
        server.close();
      }
    },
    end: async () => {
      await bursar(['sandbox', 'stop']);
      await rm(home, { recursive: true, force: true });
    },
  };
};
