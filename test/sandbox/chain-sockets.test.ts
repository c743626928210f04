import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Interface } from 'ethers/abi';
import { JsonRpcProvider, type Log, WebSocketProvider } from 'ethers/providers';
import { expect, onTestFinished, test } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { listChains } from '../../src/contract/control/chains.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { findCast } from '../chain/evm/given.ts';
import { anvilsOf } from './chains/support.ts';
import { execute, fund, newPayer, prepare, RECEIVERS } from './payer.ts';
import { type Client, startEphemeral } from './sandbox.ts';

const POLYGON = 1_000_137;
const TRANSFER = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const TOPIC = TRANSFER.getEvent('Transfer')?.topicHash ?? '';

const addressesOf = async ({ io, address }: Client) => {
  const polygon = (await controlClient(io, address)(listChains)).chains.find(({ name }) => name === 'polygon');
  return { rpc: polygon?.rpc_url ?? '', socket: polygon?.websocket_url ?? '' };
};

const socketTo = async (sandbox: Client): Promise<WebSocketProvider> => {
  const provider = new WebSocketProvider((await addressesOf(sandbox)).socket, POLYGON, { staticNetwork: true });
  onTestFinished(() => provider.destroy());
  return provider;
};

/** Waits for the next value of a listener. */
const next = <T>(listen: (take: (value: T) => void) => unknown): Promise<T> => new Promise((take) => void listen(take));

/** The WebSocket of the package `ws`, which ethers uses. It can send a message in fragments. */
type Raw = {
  onmessage: (message: { data: unknown }) => void;
  onclose: () => void;
  readonly send: (text: string, options: { readonly fin: boolean }) => void;
};

const ready = async (provider: WebSocketProvider, events: number): Promise<void> => {
  await provider.getBlockNumber();
  // ethers does not wait for its subscriptions. The answer to a later call comes after them.
  for (let turn = 0; turn < events; turn += 1) await provider.send('eth_chainId', []);
};

test('sends blocks, pending transactions and transfer logs of the service to ethers over a WebSocket', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const provider = await socketTo(sandbox);
  const before = await provider.getBlockNumber();
  const filter = { address: SANDBOX_CONTRACTS.USDT, topics: [TOPIC] };
  const block = next<number>((take) => provider.once('block', take));
  const pending = next<string>((take) => provider.once('pending', take));
  const transfer = next<Log>((take) => provider.once(filter, take));
  await ready(provider, 3);
  const { id, raw } = await prepare(sandbox, { payer });
  const executed = await execute(sandbox, id, raw);
  expect(executed.body.status).toBe('payment_confirmed');
  expect(await block).toBe(before + 1);
  const log = await transfer;
  expect([await pending, log.transactionHash]).toEqual([executed.body.data.tid_hash, executed.body.data.tid_hash]);
  expect(TRANSFER.parseLog(log)?.args['from']).toBe(payer.address);
  // Reads the receipt directly: ethers' wait() may need another block, and no other block follows here.
  expect((await provider.getTransactionReceipt(log.transactionHash))?.status).toBe(1);
});

test('returns each new log once to filters that ethers polls over HTTP, and rejects an unknown filter', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const provider = new JsonRpcProvider((await addressesOf(sandbox)).rpc, POLYGON, { staticNetwork: true });
  onTestFinished(() => provider.destroy());
  const ids: string[] = [];
  const logs = { address: SANDBOX_CONTRACTS.USDT, topics: [TOPIC], fromBlock: '0x0' };
  ids.push(await provider.send('eth_newFilter', [logs]));
  ids.push(await provider.send('eth_newFilter', [{ ...logs, address: SANDBOX_CONTRACTS.USDC }]));
  ids.push(await provider.send('eth_newBlockFilter', []));
  ids.push(await provider.send('eth_newPendingTransactionFilter', []));
  const poll = () => Promise.all(ids.map(async (id) => (await provider.send('eth_getFilterChanges', [id])).length));
  expect(await poll()).toEqual([0, 0, 0, 0]);
  const { id, raw } = await prepare(sandbox, { payer });
  await execute(sandbox, id, raw);
  // The payment has two receivers, so that the splitter writes several transfers.
  const [found, ...others] = await poll();
  expect([Number(found) > 0, ...others]).toEqual([true, 0, 1, 1]);
  expect(await poll()).toEqual([0, 0, 0, 0]);
  const all = await provider.send('eth_getFilterLogs', [ids[0]]);
  expect(all.length).toBeGreaterThan(Number(found));
  expect(await provider.send('eth_uninstallFilter', [ids[0]])).toBe(true);
  expect(await provider.send('eth_uninstallFilter', [ids[0]])).toBe(false);
  for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs']) {
    await expect(provider.send(method, [ids[0]])).rejects.toThrow('filter not found');
  }
  const wrong = [{ topics: ['0x12'] }, { blockHash: `0x${'1'.repeat(64)}` }, { fromBlock: 7 }, 'all'];
  for (const filter of wrong) await expect(provider.send('eth_newFilter', [filter])).rejects.toThrow();
});

test('limits filters and subscriptions to 1,000 each', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  const openMany = (method: string, ...params: readonly unknown[]) =>
    Promise.allSettled(Array.from({ length: 1010 }, () => provider.send(method, [...params])));
  const count = async (results: ReturnType<typeof openMany>) =>
    (await results).filter(({ status }) => status === 'fulfilled').length;
  expect(await count(openMany('eth_newBlockFilter'))).toBeLessThanOrEqual(1000);
  expect(await count(openMany('eth_subscribe', 'newHeads'))).toBeLessThanOrEqual(1000);
  await expect(provider.send('eth_subscribe', ['everything'])).rejects.toThrow(/newHeads, logs/);
});

/** The parameters of each event of a subscription, as they arrive. */
const eventsOf = (provider: object): { result: { number: string } }[] => {
  const events: { result: { number: string } }[] = [];
  const { websocket } = provider as { readonly websocket: Raw };
  const onOtherMessage = websocket.onmessage;
  websocket.onmessage = (message) => {
    const received = JSON.parse(String(message.data));
    if (received.method === 'eth_subscription') events.push(received.params);
    else onOtherMessage.call(websocket, message);
  };
  return events;
};

test('continues a subscription after a killed node and after a reset, and ends it on eth_unsubscribe', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  const heads = eventsOf(provider);
  const id = await provider.send('eth_subscribe', ['newHeads']);
  await fund(sandbox, newPayer());
  await expect.poll(() => heads.length).toBeGreaterThan(0);
  expect(heads[0]).toMatchObject({
    subscription: id,
    result: { number: expect.stringMatching(/^0x/), logsBloom: expect.any(String) },
  });
  expect(heads[0]?.result).not.toHaveProperty('transactions');
  for (const pid of anvilsOf(process.pid)) process.kill(pid, 'SIGKILL');
  heads.length = 0;
  await expect
    .poll(() =>
      fund(sandbox, newPayer()).then(
        () => heads.length,
        () => 0,
      ),
    )
    .toBeGreaterThan(0);
  await sandbox.control('POST', 'reset', {});
  heads.length = 0;
  await fund(sandbox, newPayer());
  await fund(sandbox, newPayer());
  await expect.poll(() => heads.length).toBeGreaterThan(0);
  expect(await provider.send('eth_unsubscribe', [id])).toBe(true);
  expect(await provider.send('eth_unsubscribe', [id])).toBe(false);
  const countAtUnsubscribe = heads.length;
  await fund(sandbox, newPayer());
  await provider.send('eth_chainId', []);
  expect(heads.length).toBe(countAtUnsubscribe);
});

test('after a restore, subscriptions and filters get the blocks that are mined again', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  const heads = eventsOf(provider);
  const payer = newPayer();
  await fund(sandbox, payer);
  await provider.send('eth_subscribe', ['newHeads']);
  const filter = await provider.send('eth_newBlockFilter', []);
  const polled = async () => (await provider.send('eth_getFilterChanges', [filter])).length;
  await sandbox.control('POST', 'snapshot', {});
  const numbersOf = async (count: number) => {
    heads.length = 0;
    for (let done = 0; done < count; done += 1) await fund(sandbox, payer);
    const found = await polled();
    await expect.poll(() => heads.length).toBe(found);
    return heads.map(({ result }) => result.number);
  };
  const first = await numbersOf(2);
  expect(first.length).toBeGreaterThan(0);
  await sandbox.control('POST', 'restore', {});
  expect(await numbersOf(2)).toEqual(first);
  // The chain is longer than before when the filter is polled.
  await sandbox.control('POST', 'restore', {});
  expect((await numbersOf(3)).slice(0, first.length)).toEqual(first);
});

test('stops at once while a WebSocket client is connected', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  await provider.send('eth_subscribe', ['newHeads']);
  const { websocket } = provider as unknown as { readonly websocket: Raw };
  const closed = next<void>((take) => {
    websocket.onclose = () => take();
  });
  const startedAt = performance.now();
  await sandbox.stop();
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('sends logs to cast, which subscribes over a WebSocket', async () => {
  const sandbox = await startEphemeral();
  const { socket } = await addressesOf(sandbox);
  const words = ['logs', '--subscribe', '--address', SANDBOX_CONTRACTS.USDT, TOPIC, '--rpc-url', socket];
  const child = spawn(findCast(), words, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = once(child.stdout, 'data');
  const funding = setInterval(() => void fund(sandbox, newPayer()).catch(() => undefined), 500);
  onTestFinished(() => clearInterval(funding));
  expect(String(await output)).toContain(SANDBOX_CONTRACTS.USDT);
});

/** Requests an upgrade to a WebSocket; returns the HTTP status. */
const upgrade = (url: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const required = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'a'.repeat(24) };
    const upgrading = request(url.replace('ws:', 'http:'), {
      headers: { ...required, 'sec-websocket-version': '13', ...headers },
    });
    upgrading.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    upgrading.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    upgrading.on('error', reject);
    upgrading.end();
  });

test('refuses a WebSocket to a foreign Origin or Host, and at other paths', async () => {
  const { socket } = await addressesOf(await startEphemeral());
  expect(await upgrade(socket)).toBe(101);
  expect(await upgrade(socket, { origin: 'http://localhost:3000' })).toBe(101);
  expect(await upgrade(socket, { origin: 'https://evil.example' })).toBe(403);
  expect(await upgrade(socket, { origin: 'null' })).toBe(403);
  expect(await upgrade(socket, { origin: 'http://127.0.0.1.evil.example' })).toBe(403);
  expect(await upgrade(socket, { host: 'evil.example' })).toBe(403);
  expect(await upgrade(socket, { 'sec-websocket-version': '8' })).toBe(400);
  expect(await upgrade(socket.replace('polygon', 'mars'))).toBe(404);
  expect(await upgrade(socket.replace('_chain/polygon', '_sandbox/fund'))).toBe(404);
});

test('refuses methods that mint or mine over the WebSocket, and returns JSON-RPC errors for malformed messages', async () => {
  const provider = await socketTo(await startEphemeral());
  for (const method of [
    'anvil_setBalance',
    'evm_mine',
    'hardhat_setBalance',
    'eth_sendTransaction',
    'debug_traceCall',
  ]) {
    await expect(provider.send(method, [RECEIVERS[0], '0xffff'])).rejects.toMatchObject({ error: { code: -32_601 } });
  }
  const { websocket } = provider as unknown as { readonly websocket: Raw };
  const ask = (text: string): Promise<unknown> => {
    const answer = next<{ data: unknown }>((take) => {
      websocket.onmessage = take;
    });
    const half = text.length >> 1;
    websocket.send(text.slice(0, half), { fin: false });
    websocket.send(text.slice(half), { fin: true });
    return answer.then(({ data }) => JSON.parse(String(data)));
  };
  expect(await ask('{')).toMatchObject({ error: { code: -32_700 } });
  expect(await ask('[]')).toMatchObject({ error: { code: -32_600 } });
  // A message longer than 65,535 bytes has a 64-bit length.
  const data = `0x${'00'.repeat(100_000)}`;
  const long = { id: 1, method: 'eth_call', params: [{ to: RECEIVERS[0], data }, 'latest'] };
  expect(await ask(JSON.stringify(long))).toMatchObject({ id: 1, result: '0x' });
  const tooLong = next<void>((take) => {
    websocket.onclose = () => take();
  });
  websocket.send('x'.repeat(2 ** 21), { fin: true });
  await tooLong;
});

test('ignores an offer to upgrade to h2c, and answers this request and the next one over HTTP/1.1', async () => {
  const { address } = await startEphemeral();
  const socket = connect(Number(new URL(address.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const body = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}';
  const head = (more: readonly string[]) => [
    'POST /_chain/base HTTP/1.1',
    `Host: ${new URL(address.url).host}`,
    'Content-Type: application/json',
    ...more,
  ];
  const offer = [
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
  ];
  const first = [...head([...offer, `Content-Length: ${body.length}`]), '', body.slice(0, 10)].join('\r\n');
  socket.write(first);
  setTimeout(() => socket.write(body.slice(10)), 50);
  await expect.poll(() => received, { timeout: 10_000 }).toContain('"result":"0xf6345');
  socket.write([...head([`Content-Length: ${body.length}`]), '', body].join('\r\n'));
  await expect.poll(() => received.split('"id":7').length).toBe(3);
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});
