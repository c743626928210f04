import { appendFile, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Files } from '../../../src/io/files/files.ts';
import { systemFiles } from '../../../src/io/files/files.ts';
import { openNodes } from '../../../src/sandbox/chains/nodes.ts';
import { temporaryFolder } from '../../support/io.ts';
import { ETHER, fundedPayer, isAlive, killNode, newAddress, nodesIn, pay } from './support.ts';

const CHAIN = 'polygon';

test('restores receipts, balances and nonce of answered payments after kill -9 of the node', async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder);
  const before = await nodes.on(CHAIN);
  const payer = await fundedPayer(before);
  const receiver = newAddress();
  const hashes = [await pay(before, payer, receiver, 5n, 'USDT'), await pay(before, payer, receiver, 7n)];
  const readAll = async (node = before) => ({
    receipts: await Promise.all(hashes.map(node.receipt)),
    balances: await Promise.all(
      [payer.address, receiver].flatMap((address) => [node.balance(address, 'USDT'), node.balance(address, undefined)]),
    ),
    nonce: await node.nonce(payer.address),
  });
  const expected = await readAll();
  await killNode(nodes, CHAIN);
  expect(await readAll(await nodes.on(CHAIN))).toEqual(expected);
  await nodes.close();
  const later = nodesIn(folder);
  expect(await readAll(await later.on(CHAIN))).toEqual(expected);
  hashes.push(await pay(await later.on(CHAIN), payer, receiver, 1n, 'USDT'));
  expect((await readAll(await later.on(CHAIN))).nonce).toBe(3);
});

test('restores payments of one block into one block after kill -9 of the node', async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder);
  const node = await nodes.on(CHAIN);
  const payers = await Promise.all(Array.from({ length: 8 }, () => fundedPayer(node)));
  const hashes = await Promise.all(payers.map((payer) => pay(node, payer, newAddress(), 1n, 'USDT')));
  const receipts = await Promise.all(hashes.map(node.receipt));
  expect(new Set(receipts.map((receipt) => receipt?.blockNumber)).size).toBeLessThan(8);
  await killNode(nodes, CHAIN);
  expect(await Promise.all(hashes.map((await nodes.on(CHAIN)).receipt))).toEqual(receipts);
});

test('restores a chain in memory after kill -9 of the node', async () => {
  const nodes = nodesIn();
  const payer = await fundedPayer(await nodes.on(CHAIN));
  await killNode(nodes, CHAIN);
  expect(await (await nodes.on(CHAIN)).balance(payer.address, undefined)).toBe(10n * ETHER);
});

test('keeps payments in flight at kill -9 of the node wholly or not at all', async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder);
  const node = await nodes.on(CHAIN);
  const receiver = newAddress();
  const payers = await Promise.all(Array.from({ length: 30 }, () => fundedPayer(node)));
  let answered = 0;
  let killed: Promise<void> | undefined;
  const inFlight = Promise.allSettled(
    payers.map(async (payer) => {
      // Each payer pays one payment after the other, so that not all are mined when the node is killed.
      for (let count = 0; count < 3; count += 1) {
        await pay(node, payer, receiver, 1n, 'USDT');
        answered += 1;
        if (answered === 5) killed = killNode(nodes, CHAIN);
      }
    }),
  );
  await inFlight;
  await killed;
  expect(answered).toBeLessThan(90);
  const restored = await nodes.on(CHAIN);
  const arrived = await restored.balance(receiver, 'USDT');
  const nonces = await Promise.all(payers.map(({ address }) => restored.nonce(address)));
  expect(arrived).toBeGreaterThanOrEqual(BigInt(answered));
  expect(arrived).toBe(BigInt(nonces.reduce((sum, nonce) => sum + nonce, 0)));
});

test('replaces the log by a state after hundreds of changes, and still finds old receipts', async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder, { changesPerState: 500, archiveEvery: 32 });
  const node = await nodes.on(CHAIN);
  const payer = await fundedPayer(node);
  const first = await pay(node, payer, newAddress(), 1n);
  expect(await readdir(folder)).toContain('polygon.1.log');
  for (let done = 0; done < 550; done += 50) {
    await Promise.all(Array.from({ length: 50 }, () => node.fund(payer.address, undefined, 1n)));
  }
  const history = ['', '-shm', '-wal'].map((end) => `polygon.history.db${end}`);
  expect(await readdir(folder)).toEqual(['polygon.2.log', ...history, 'polygon.json']);
  const expected = await node.balance(payer.address, undefined);
  await killNode(nodes, CHAIN);
  const restored = await nodes.on(CHAIN);
  expect(await restored.balance(payer.address, undefined)).toBe(expected);
  expect((await restored.receipt(first))?.status).toBe('success');
});

test('starts one node for concurrent first uses, and an empty chain after a reset', async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder);
  expect(nodes.running()).toEqual([]);
  const [node] = await Promise.all([nodes.on(CHAIN), nodes.on(CHAIN), nodes.on(CHAIN)]);
  expect(nodes.running()).toEqual([CHAIN]);
  const pid = nodes.pids()[CHAIN] ?? 0;
  const payer = await fundedPayer(node);
  await nodes.reset();
  expect(isAlive(pid)).toBe(false);
  expect(nodes.running()).toEqual([]);
  expect(await readdir(folder)).toEqual([]);
  expect(await (await nodes.on(CHAIN)).balance(payer.address, 'USDT')).toBe(0n);
});

test('leaves no process after close, and starts none', async () => {
  const nodes = nodesIn();
  await Promise.all([nodes.on('ethereum'), nodes.on('bsc')]);
  const pids = Object.values(nodes.pids());
  expect(pids).toHaveLength(2);
  await nodes.close();
  expect(pids.filter(isAlive)).toEqual([]);
  await expect(nodes.on('ethereum')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
});

test('ignores a partial line at the end of the log, whose change was never answered', async () => {
  const folder = await temporaryFolder();
  const payer = await fundedPayer(await nodesIn(folder).on(CHAIN));
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true });
  await appendFile(join(copy, 'polygon.1.log'), '{"change":{"kind":"co');
  const nodes = nodesIn(copy);
  await (await nodes.on(CHAIN)).fund(payer.address, undefined, 1n);
  await killNode(nodes, CHAIN);
  expect(await (await nodes.on(CHAIN)).balance(payer.address, undefined)).toBe(10n * ETHER + 1n);
});

test('removes a payment from the chain when the log cannot be written, and accepts the next payment', async () => {
  const folder = await temporaryFolder();
  let isFull = false;
  const appendDurably: Files['appendDurably'] = async (path, text) => {
    if (isFull) throw new Error('ENOSPC: no space left on device');
    return systemFiles.appendDurably(path, text);
  };
  const nodes = openNodes({ io: { files: { ...systemFiles, appendDurably } }, stateFolder: folder });
  onTestFinished(() => nodes.close());
  const node = await nodes.on(CHAIN);
  const [payer, receiver] = [await fundedPayer(node), newAddress()];
  isFull = true;
  await expect(pay(node, payer, receiver, 1n)).rejects.toThrow('ENOSPC');
  isFull = false;
  await expect.poll(() => nodes.running()).toEqual([]);
  const restored = await nodes.on(CHAIN);
  expect(await restored.balance(receiver, undefined)).toBe(0n);
  await pay(restored, payer, receiver, 2n);
  expect(await restored.balance(receiver, undefined)).toBe(2n);
});
