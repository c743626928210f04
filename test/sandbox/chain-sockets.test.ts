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

/** Something that comes once. */
const next = <T>(listen: (take: (value: T) => void) => unknown): Promise<T> => new Promise((take) => void listen(take));

/** A WebSocket as `ws` has it, which ethers uses: it can send a message in pieces. */
type Raw = {
  onmessage: (message: { data: unknown }) => void;
  onclose: () => void;
  readonly send: (text: string, options: { readonly fin: boolean }) => void;
};

const ready = async (provider: WebSocketProvider, events: number): Promise<void> => {
  await provider.getBlockNumber();
  // ethers subscribes without being waited for; an answer to a later call comes after those.
  for (let turn = 0; turn < events; turn += 1) await provider.send('eth_chainId', []);
};

test('ethers over a WebSocket hears of blocks, transactions and transfers that the service made', async () => {
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
  // A wait of ethers ends with the next block where it has not counted this one yet; here no other block follows.
  expect((await provider.getTransactionReceipt(log.transactionHash))?.status).toBe(1);
});

test('ethers over HTTP polls its filters: each log once, none of before; an unknown filter is not found', async () => {
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
  // A payment to two receivers, by the splitter.
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
  for (const each of wrong) await expect(provider.send('eth_newFilter', [each])).rejects.toThrow();
});

test('filters and subscriptions have an end: many cannot be made', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  const most = (method: string, ...params: readonly unknown[]) =>
    Promise.allSettled(Array.from({ length: 1010 }, () => provider.send(method, [...params])));
  const count = async (made: ReturnType<typeof most>) =>
    (await made).filter(({ status }) => status === 'fulfilled').length;
  expect(await count(most('eth_newBlockFilter'))).toBeLessThanOrEqual(1000);
  expect(await count(most('eth_subscribe', 'newHeads'))).toBeLessThanOrEqual(1000);
  await expect(provider.send('eth_subscribe', ['everything'])).rejects.toThrow(/newHeads, logs/);
});

test('a subscription goes on over a node that died and a reset, and ends when it is cancelled', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  const heads: unknown[] = [];
  const { websocket } = provider as unknown as { readonly websocket: Raw };
  const usual = websocket.onmessage;
  websocket.onmessage = (message) => {
    const said = JSON.parse(String(message.data));
    if (said.method === 'eth_subscription') heads.push(said.params);
    else usual.call(websocket, message);
  };
  const id = await provider.send('eth_subscribe', ['newHeads']);
  await fund(sandbox, newPayer());
  await expect.poll(() => heads.length).toBeGreaterThan(0);
  expect(heads[0]).toMatchObject({
    subscription: id,
    result: { number: expect.stringMatching(/^0x/), logsBloom: expect.any(String) },
  });
  expect((heads[0] as { result: object }).result).not.toHaveProperty('transactions');
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
  const heard = heads.length;
  await fund(sandbox, newPayer());
  await provider.send('eth_chainId', []);
  expect(heads.length).toBe(heard);
});

test('the sandbox ends at once with a client that stays connected', async () => {
  const sandbox = await startEphemeral();
  const provider = await socketTo(sandbox);
  await provider.send('eth_subscribe', ['newHeads']);
  const { websocket } = provider as unknown as { readonly websocket: Raw };
  const closed = next<void>((take) => {
    websocket.onclose = () => take();
  });
  const begun = performance.now();
  await sandbox.stop();
  await closed;
  expect(performance.now() - begun).toBeLessThan(5_000);
});

test('cast reads over the WebSocket and follows the logs', async () => {
  const sandbox = await startEphemeral();
  const { socket } = await addressesOf(sandbox);
  const words = ['logs', '--subscribe', '--address', SANDBOX_CONTRACTS.USDT, TOPIC, '--rpc-url', socket];
  const child = spawn(findCast(), words, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = once(child.stdout, 'data');
  const until = setInterval(() => void fund(sandbox, newPayer()).catch(() => undefined), 500);
  onTestFinished(() => clearInterval(until));
  expect(String(await said)).toContain(SANDBOX_CONTRACTS.USDT);
});

/** The HTTP status of a request for a WebSocket. */
const upgrade = (url: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const own = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'a'.repeat(24) };
    const asked = request(url.replace('ws:', 'http:'), {
      headers: { ...own, 'sec-websocket-version': '13', ...headers },
    });
    asked.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    asked.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });

test('a page of another site, another name of this machine and other paths get no WebSocket', async () => {
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

test('nobody makes money over the WebSocket either, and nonsense is answered', async () => {
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
  // Longer than a frame of 16 bits.
  const data = `0x${'00'.repeat(100_000)}`;
  const long = { id: 1, method: 'eth_call', params: [{ to: RECEIVERS[0], data }, 'latest'] };
  expect(await ask(JSON.stringify(long))).toMatchObject({ id: 1, result: '0x' });
  const tooLong = next<void>((take) => {
    websocket.onclose = () => take();
  });
  websocket.send('x'.repeat(2 ** 21), { fin: true });
  await tooLong;
});

test('another protocol that a client offers is declined, and its request answered: with its body, and the next one', async () => {
  const { address } = await startEphemeral();
  const socket = connect(Number(new URL(address.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
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
  await expect.poll(() => said, { timeout: 10_000 }).toContain('"result":"0xf6345');
  socket.write([...head([`Content-Length: ${body.length}`]), '', body].join('\r\n'));
  await expect.poll(() => said.split('"id":7').length).toBe(3);
  expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});
