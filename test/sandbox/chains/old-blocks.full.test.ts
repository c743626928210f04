import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Wallet } from 'ethers/wallet';
import { expect, onTestFinished, test } from 'vitest';
import { EVM_CHAINS, type EvmChain, SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { systemFiles } from '../../../src/io/files/files.ts';
import { type Limits, openChain } from '../../../src/sandbox/chains/chain.ts';
import { type EvmNode, nodeOf } from '../../../src/sandbox/chains/node.ts';
import { fileStore, memoryStore, type Store } from '../../../src/sandbox/chains/store.ts';
import { temporaryFolder } from '../../support/io.ts';
import { ETHER, fundedPayer, newAddress, type Payer, pay } from './support.ts';

const POLYGON = EVM_CHAINS.find(({ name }) => name === 'polygon') as EvmChain;

/** Limits that store a state and commit the history after a few blocks. */
const SMALL_LIMITS: Limits = { changesPerState: 40, archiveEvery: 20 };

const open = async (store: Store, limits = SMALL_LIMITS) => {
  const opened = await openChain(POLYGON, store, { limits });
  const end = async () => {
    await opened.stop();
    await opened.ended;
    store.close();
  };
  onTestFinished(end);
  return { ...opened, node: nodeOf(opened), end };
};

const inFolder = (folder: string): Store => fileStore(systemFiles, folder, 'polygon');

/** Mines blocks of one transaction each. */
const mineBlocks = async (node: EvmNode, count: number): Promise<void> => {
  const to = newAddress();
  await Promise.all(Array.from({ length: count }, () => node.fund(to, 'USDT', 1n)));
};

const hex = (number: number): string => `0x${number.toString(16)}`;

const heightOf = async (node: EvmNode): Promise<number> => Number(resultOf(await node.read('eth_blockNumber', [])));

const resultOf = (answer: Awaited<ReturnType<EvmNode['read']>>): unknown => {
  if (answer.ok) return answer.result;
  throw new Error(answer.message);
};

/** Sends payments, a split, a payment that reverts, and a transaction that fits into no block. */
const makePast = async (node: EvmNode, payer: Payer) => {
  const receiver = newAddress();
  const hashes = [await pay(node, payer, receiver, 5n, 'USDT'), await pay(node, payer, receiver, 7n)];
  const amounts = [receiver, newAddress()].map((to) => ({ to, units: 3n }));
  const reverting = { from: payer.address, token: 'USDT', amounts: [{ to: receiver, units: 2n ** 100n }] };
  for (const transfer of [{ from: payer.address, token: 'USDT', amounts }, reverting]) {
    const sent = await node.send(await payer.sign(await node.buildTransfer(transfer)));
    if (sent.ok) hashes.push(sent.hash);
  }
  const empty = Wallet.createRandom();
  await node.fund(empty.address, undefined, ETHER);
  const common = { type: 4, nonce: 0, chainId: node.chainId, authorizationList: [], gasLimit: 100_000n };
  const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
  expect(await node.send(await empty.signTransaction({ ...common, ...fees, to: receiver }))).toMatchObject({
    ok: false,
  });
  return { receiver, hashes };
};

type Past = Awaited<ReturnType<typeof makePast>>;

const topicOf = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** The answers to all reads of the blocks up to a height, as text. */
const readPast = async (node: EvmNode, { hashes, receiver }: Past, height: number): Promise<readonly string[]> => {
  const requests: [string, unknown[]][] = [];
  for (let number = 0; number <= height; number += 1) {
    const { hash } = resultOf(await node.read('eth_getBlockByNumber', [hex(number), false])) as { hash: string };
    for (const isFull of [true, false]) {
      requests.push(['eth_getBlockByNumber', [hex(number), isFull]], ['eth_getBlockByHash', [hash, isFull]]);
    }
    for (const id of [hex(number), hash, { blockHash: hash }, { blockNumber: hex(number) }]) {
      requests.push(['eth_getBlockReceipts', [id]]);
    }
    requests.push(['eth_getLogs', [{ blockHash: hash }]], ['eth_getLogs', [{ blockHash: hash, topics: [] }]]);
  }
  for (const hash of hashes) requests.push(['eth_getTransactionByHash', [hash]], ['eth_getTransactionReceipt', [hash]]);
  const range = { fromBlock: 'earliest', toBlock: hex(height) };
  const { USDT, splitter } = SANDBOX_CONTRACTS;
  const filters = [
    { address: USDT },
    { address: [USDT.toUpperCase().replace('0X', '0x'), splitter] },
    { address: splitter },
    { topics: [null, null, topicOf(receiver)] },
    { topics: [[], null, [topicOf(receiver), topicOf(USDT)]] },
    { topics: [[topicOf(USDT), null], null, [topicOf(USDT)]] },
    { topics: [[topicOf(USDT), null]] },
    { topics: [topicOf(receiver)] },
    { topics: [null, null, null, null] },
  ];
  for (const filter of [{}, ...filters]) requests.push(['eth_getLogs', [{ ...range, ...filter }]]);
  requests.push(['eth_getLogs', [{ fromBlock: hex(3), toBlock: hex(5) }]]);
  requests.push(['eth_getBlockByNumber', ['earliest', true]]);
  return Promise.all(
    requests.map(async ([method, params]) => {
      const text = JSON.stringify(resultOf(await node.read(method, params)));
      return `${method} ${JSON.stringify(params)} ${text}`;
    }),
  );
};

test('returns the same blocks, transactions, receipts and logs after the node drops them, and after restarts', async () => {
  const folder = await temporaryFolder();
  const before = await open(inFolder(folder));
  const payer = await fundedPayer(before.node);
  const past = await makePast(before.node, payer);
  const height = await heightOf(before.node);
  const expected = await readPast(before.node, past, height);
  expect(expected.filter((text) => text.includes(past.hashes[0] ?? '')).length).toBeGreaterThan(8);

  await mineBlocks(before.node, 130);
  expect(await before.rpc('eth_getTransactionReceipt', [past.hashes[0]])).toEqual({ ok: true, result: null });
  expect(await readPast(before.node, past, height)).toEqual(expected);
  const newest = await heightOf(before.node);
  const later = await readPast(before.node, past, newest);

  // The files at this moment are those that a kill -9 leaves.
  const killed = await temporaryFolder();
  await cp(folder, killed, { recursive: true });
  await before.end();
  for (const place of [killed, folder]) {
    const after = await open(inFolder(place));
    expect(await heightOf(after.node)).toBe(newest);
    expect(await readPast(after.node, past, newest)).toEqual(later);
    await pay(after.node, payer, past.receiver, 1n, 'USDT');
    const [parent, next] = await Promise.all(
      [newest, newest + 1].map((number) => after.node.read('eth_getBlockByNumber', [hex(number), false])),
    );
    expect(next).toMatchObject({ result: { parentHash: (resultOf(parent as never) as { hash: string }).hash } });
    await after.end();
  }
});

test('returns the newest block and logs over old and new blocks completely while states are stored', async () => {
  const { node } = await open(memoryStore(), { changesPerState: 7, archiveEvery: 50 });
  const payer = await fundedPayer(node);
  const receiver = newAddress();
  for (let count = 1; count <= 20; count += 1) {
    const hash = await pay(node, payer, receiver, 1n, 'USDT');
    const block = resultOf(await node.read('eth_getBlockByNumber', ['latest', true])) as {
      transactions: { hash: string }[];
    };
    expect(block.transactions.map((transaction) => transaction.hash)).toEqual([hash]);
    const filter = { fromBlock: '0x0', toBlock: 'latest', topics: [null, null, topicOf(receiver)] };
    expect(resultOf(await node.read('eth_getLogs', [filter]))).toHaveLength(count);
    expect(resultOf(await node.read('eth_getLogs', [{ topics: filter.topics }]))).toHaveLength(1);
    expect(resultOf(await node.read('eth_getBlockReceipts', ['latest']))).toHaveLength(1);
    expect((await node.receipt(hash))?.status).toBe('success');
  }
});

test('rejects wrong parameters for old blocks, and returns null for unknown hashes', async () => {
  const { node } = await open(memoryStore());
  await mineBlocks(node, 150);
  const wrong: readonly [string, unknown[]][] = [
    ['eth_getBlockByNumber', ['0x1']],
    ['eth_getLogs', [{ fromBlock: 1 }]],
    ['eth_getLogs', [{ fromBlock: '0x0', topics: ['0x1'] }]],
    ['eth_getTransactionReceipt', ['0x1']],
    ['eth_getBlockReceipts', [['0x1']]],
  ];
  for (const [method, params] of wrong) expect(await node.read(method, params), method).toMatchObject({ ok: false });
  const unknown = `0x${'7'.repeat(64)}`;
  for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockReceipts']) {
    expect(await node.read(method, [unknown])).toEqual({ ok: true, result: null });
  }
  expect(await node.read('eth_getLogs', [{ blockHash: unknown }])).toMatchObject({ ok: false });
});

/** A store that records the length of each stored state. */
const counting = () => {
  const store = memoryStore();
  const sizes: number[] = [];
  const replace: Store['replace'] = (state) => {
    sizes.push(state.length);
    return store.replace(state);
  };
  return { sizes, store: { ...store, replace } };
};

test('stores the state of a growing chain a logarithmic number of times', async () => {
  const { sizes, store } = counting();
  const { node } = await open(store, { changesPerState: 10, archiveEvery: 20 });
  const after: number[] = [];
  for (let count = 0; count < 640; count += 40) {
    await Promise.all(Array.from({ length: 40 }, () => node.fund(newAddress(), undefined, 1n)));
    after.push(sizes.length);
  }
  // Twice as many changes (160, 320, 640) need about one more state.
  const [quarter, half, all] = [after[3] ?? 0, after[7] ?? 0, after[15] ?? 0];
  expect(half - quarter).toBeLessThanOrEqual(2);
  expect(all - half).toBeLessThanOrEqual(2);
  expect(all).toBeLessThanOrEqual(9);
});

test('stores a state after 1,200 blocks that is as large as after 400 blocks', async () => {
  const { sizes, store } = counting();
  const { node } = await open(store, { changesPerState: 200, archiveEvery: 32 });
  for (let count = 0; count < 1_250; count += 50) await mineBlocks(node, 50);
  const [, early = 0, , , late = 0] = sizes;
  expect(late / early).toBeLessThan(1.1);
});

const VERSION_1 = fileURLToPath(new URL('./version-1', import.meta.url));

test('reads the blocks, transactions, receipts and logs of a chain that an earlier version stored', async () => {
  const { newest, receiver, reads } = JSON.parse(await readFile(`${VERSION_1}/reads.json`, 'utf8'));
  const folder = await temporaryFolder();
  for (const name of ['polygon.json', 'polygon.1.log']) await cp(`${VERSION_1}/${name}`, `${folder}/${name}`);
  for (let start = 0; start < 2; start += 1) {
    const { node, end } = await open(inFolder(folder));
    await mineBlocks(node, 110);
    for (const { method, params, sha256 } of reads) {
      const text = JSON.stringify(resultOf(await node.read(method, params)));
      expect(createHash('sha256').update(text).digest('hex'), `${method} ${JSON.stringify(params)}`).toBe(sha256);
    }
    expect((await node.receipt(newest))?.status).toBe('success');
    expect(await node.balance(receiver, 'USDT')).toBe(4n);
    await end();
  }
});
