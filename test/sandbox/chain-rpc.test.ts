import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { JsonRpcProvider } from 'ethers/providers';
import { expect, test } from 'vitest';
import { EVM_CHAINS, SANDBOX_CONTRACTS, SANDBOX_SOLANA, sandboxChainId } from '../../src/contract/chains.ts';
import { listChains, startSolana, switchChain } from '../../src/contract/control/chains.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { balancesOf, execute, fund, newPayer, prepare, RECEIVERS } from './payer.ts';
import { type Client, sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';

const CAST = fileURLToPath(new URL('../../node_modules/.bin/cast', import.meta.url));

const cast = async (...words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(CAST, words)).stdout.trim();

const chainsOf = async ({ io, address }: Client) => (await controlClient(io, address)(listChains)).chains;

const rpcOf = async (client: Client, name = 'polygon'): Promise<string> =>
  (await chainsOf(client)).find((chain) => chain.name === name)?.rpc_url ?? '';

const ask = async (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
  return { http: answer.status, body: JSON.parse(await answer.text()) };
};

const call = (method: string, ...params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });

test('lists the chains with chain id and RPC URLs, and starts no chain', async () => {
  const sandbox = await startEphemeral();
  const chains = await chainsOf(sandbox);
  expect(chains.map(({ name, chain_id }) => [name, chain_id])).toEqual([
    ...EVM_CHAINS.map(({ name, id }) => [name, sandboxChainId(id)]),
    ['solana', null],
  ]);
  expect(chains.some(({ running }) => running)).toBe(false);
  expect(chains.at(-1)).toMatchObject({ rpc_url: null, websocket_url: null });
  await controlClient(sandbox.io, sandbox.address)(startSolana);
  const [solana] = (await chainsOf(sandbox)).slice(-1);
  expect([solana?.running, solana?.rpc_url, solana?.websocket_url]).toEqual([
    true,
    expect.stringMatching(/^http:\/\/127/),
    expect.stringMatching(/^ws:\/\/127/),
  ]);
});

test('serves the Solana RPC at the URL of the service, and starts Solana on the first call', async () => {
  const sandbox = await startEphemeral();
  const url = `${sandbox.address.url}/_chain/solana`;
  const { body } = await ask(url, call('getGenesisHash'));
  expect(body.result).toBe(SANDBOX_SOLANA.fees);
  expect((await ask(url, call('getSlot'), { 'content-type': 'text/plain' })).http).toBe(415);
});

test('starts a chain on the first call of cast, which reads chain id, block number and token balance', async () => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  expect(await cast('chain-id', '--rpc-url', url)).toBe('1000137');
  expect(Number(await cast('block-number', '--rpc-url', url))).toBeGreaterThan(0);
  const payer = newPayer();
  await fund(sandbox, payer);
  const words = ['call', SANDBOX_CONTRACTS.USDT, 'balanceOf(address)(uint256)', payer.address, '--rpc-url', url];
  expect(await cast(...words)).toMatch(/^10000000000\b/);
});

test('mines a transaction from ethers at once, and then executes a payment of the same payer', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const provider = new JsonRpcProvider(await rpcOf(sandbox), 1_000_137, { staticNetwork: true });
  const sent = await payer.connect(provider).sendTransaction({ to: RECEIVERS[0], value: 5n });
  const receipt = await provider.getTransactionReceipt(sent.hash);
  expect(receipt?.status).toBe(1);
  expect(await provider.getBalance(RECEIVERS[0])).toBe(5n);
  provider.destroy();
  const { id, raw } = await prepare(sandbox, { payer });
  expect((await execute(sandbox, id, raw)).body.status).toBe('payment_confirmed');
});

test('keeps a transaction that a client sent by JSON-RPC across a restart', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const payer = newPayer();
  await fund(before, payer);
  const { raw } = await prepare(before, { payer });
  const { body } = await ask(await rpcOf(before), call('eth_sendRawTransaction', raw));
  expect(body.result).toMatch(/^0x[0-9a-f]{64}$/);
  await before.stop();
  const after = await startTestSandbox(io);
  expect((await balancesOf(after, payer.address)).USDT).toBe('9990');
  const known = await ask(await rpcOf(after), call('eth_getTransactionReceipt', body.result));
  expect(known.body.result.status).toBe('0x1');
});

test('serves only reads and signed transactions by JSON-RPC, and no method that mints or mines', async () => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  for (const method of ['anvil_setBalance', 'evm_mine', 'eth_sendTransaction', 'anvil_reset', 'constructor', '']) {
    const { body } = await ask(url, call(method, RECEIVERS[0], '0xffff'));
    expect([method, body.error?.code]).toEqual([method, -32_601]);
  }
  const reverted = await ask(url, call('eth_call', { to: SANDBOX_CONTRACTS.USDT, data: '0xdeadbeef' }, 'latest'));
  expect(reverted.body.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  for (const raw of ['0x', '0x02', 'nonsense', 7]) {
    expect((await ask(url, call('eth_sendRawTransaction', raw))).body.error, String(raw)).toBeDefined();
  }
});

test('rejects the content type text/plain, and returns JSON-RPC errors for malformed requests', async () => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  const plain = await ask(url, call('eth_chainId'), { 'content-type': 'text/plain' });
  expect([plain.http, plain.body.status]).toEqual([415, 'unsupported_media_type']);
  expect((await ask(url.replace('polygon', 'mars'), call('eth_chainId'))).body.status).toBe('chain_not_found');
  for (const body of ['', '{', '['.repeat(5000)]) {
    expect(await ask(url, body)).toMatchObject({ http: 200, body: { id: null, error: { code: -32_700 } } });
  }
  for (const body of ['null', '[]', '{"id":1}', { id: {}, method: 7 }]) {
    expect(await ask(url, body)).toMatchObject({ http: 200, body: { id: null, error: { code: -32_600 } } });
  }
  const named = await ask(url, { id: 1, method: 'eth_chainId', params: {} });
  expect(named.body).toMatchObject({ id: 1, error: { code: -32_602 } });
  expect((await ask(url, `"${'x'.repeat(2 ** 21)}"`)).http).toBe(413);
  const both = await ask(url, [call('eth_chainId'), call('net_version')]);
  expect(both.body.map(({ result }: { result: string }) => result)).toEqual(['0xf42c9', '1000137']);
});

test('lists a chain that is switched off as disabled', async () => {
  const sandbox = await startEphemeral();
  const client = controlClient(sandbox.io, sandbox.address);
  await client(switchChain, { name: 'bsc', enabled: false });
  expect((await client(listChains)).chains.filter(({ enabled }) => !enabled).map(({ name }) => name)).toEqual(['bsc']);
  await client(switchChain, { name: 'bsc', enabled: true });
  expect((await client(listChains)).chains.every(({ enabled }) => enabled)).toBe(true);
});

test('pays once, without an error, when the payer sends the transaction to the chain during execute', async () => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  const all = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const payer = newPayer();
      await fund(sandbox, payer);
      return prepare(sandbox, { payer });
    }),
  );
  const outcomes = await Promise.all(
    all.map(async ({ id, raw, payer }) => {
      const [executed] = await Promise.all([execute(sandbox, id, raw), ask(url, call('eth_sendRawTransaction', raw))]);
      return [executed.body.status, (await balancesOf(sandbox, payer.address)).USDT];
    }),
  );
  expect(outcomes.filter(([, left]) => left !== '9990')).toEqual([]);
  const statuses = outcomes.map(([status]) => status);
  expect(statuses.filter((status) => status !== 'payment_confirmed' && status !== 'stale_transaction_nonce')).toEqual(
    [],
  );
});

test('answers eth_feeHistory for huge block counts, and rejects malformed counts and too many percentiles', async () => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  for (const count of [`0x${'f'.repeat(24)}`, '0xffff', 1e18, '0x2']) {
    const { body } = await ask(url, call('eth_feeHistory', count, 'latest', [25]));
    expect([count, body.result?.oldestBlock]).toEqual([count, expect.stringMatching(/^0x/)]);
  }
  for (const count of [-1, '12', null, { a: 1 }]) {
    expect((await ask(url, call('eth_feeHistory', count, 'latest', []))).body.error.code).toBe(-32_602);
  }
  const percentiles = Array.from({ length: 101 }, (_, at) => at / 2);
  expect((await ask(url, call('eth_feeHistory', '0x1', 'latest', percentiles))).body.error.code).toBe(-32_602);
  expect((await ask(url, call('eth_chainId'))).body.result).toBe('0xf42c9');
});

test('returns -32602 for a parameter that the node cannot parse, and answers concurrent calls', async () => {
  const url = await rpcOf(await startEphemeral());
  const unpaired = '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["\\ud800","latest"]}';
  const answers = [ask(url, call('eth_chainId')), ask(url, unpaired), ask(url, call('eth_blockNumber'))];
  const [before, wrong, after] = await Promise.all(answers);
  expect([before?.body.error, wrong?.body.error?.code, after?.body.error]).toEqual([undefined, -32_602, undefined]);
});

test('limits the gas and the number of blocks of eth_simulateV1', async () => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  const from = RECEIVERS[0];
  const endless = { from, data: '0x5b600056', gas: '0x7fffffffffffffff' };
  const blockOverrides = { gasLimit: '0x7fffffffffffffff' };
  const simulate = (...blockStateCalls: readonly unknown[]) =>
    ask(url, call('eth_simulateV1', { blockStateCalls }, 'latest'));
  expect((await simulate({ calls: [endless] })).http).toBe(200);
  expect((await simulate({ blockOverrides, calls: [endless] })).http).toBe(200);
  const many = Array.from({ length: 21 }, () => ({ calls: [{ from, to: from }] }));
  expect((await simulate(...many)).body.error.code).toBe(-32_602);
  const { body } = await simulate({ calls: [{ from, to: RECEIVERS[1], value: '0x0' }] });
  expect(body.result[0].calls[0].status).toBe('0x1');
});

test.each([
  ['gas', {}],
  ['gasLimit', {}],
  ['blockLimit', { gasLimit: '0x7fffffffffffffff' }],
])('limits the gas of an endless eth_call and eth_estimateGas despite a huge value in %s', async (name, block) => {
  const sandbox = await startEphemeral();
  const url = await rpcOf(sandbox);
  const endless = { data: '0x5b600056', ...(name.startsWith('gas') && { [name]: '0x7fffffffffffffff' }) };
  for (const method of ['eth_call', 'eth_estimateGas']) {
    const { body } = await ask(url, call(method, endless, 'latest', {}, block));
    expect(body.error?.message).toMatch(/gas/i);
    expect((await ask(url, call(method, [null, null, '0x5b600056'], 'latest'))).body.error.code).toBe(-32_602);
  }
});
