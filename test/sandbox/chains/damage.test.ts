import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/io.ts';
import { fundedPayer, killNode, newAddress, nodesIn, pay } from './support.ts';

/** A copy of a stored chain: a state, a log and a history. */
const storedChain = async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder);
  const payer = await fundedPayer(await nodes.on('base'));
  await killNode(nodes, 'base');
  await pay(await nodes.on('base'), payer, newAddress(), 1n);
  await nodes.close();
  // A copy, because this process may still have the files open.
  const copy = await temporaryFolder();
  const names = ['base.json', 'base.2.log', 'base.history.db'] as const;
  for (const name of names) await copyFile(join(folder, name), join(copy, name));
  const [state, log, history] = names;
  return { folder: copy, state: join(copy, state), log: join(copy, log), history: join(copy, history) };
};

const spoil = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

test.each<readonly ['state' | 'log', string, (text: string) => string]>([
  ['state', 'cut off', (text) => text.slice(0, -40)],
  ['state', 'no JSON', () => 'hello'],
  ['state', 'another document', () => '{}'],
  ['state', 'one digit changed', (text) => spoil(text, text.length >> 1)],
  ['log', 'one digit of a transaction changed', (text) => spoil(text, text.indexOf('"raw"') + 120)],
  ['log', 'no JSON', (text) => `nonsense\n${text}`],
  ['log', 'a change twice', (text) => text + text],
])('names a damaged %s file (%s), and does not change the file', async (which, _kind, damage) => {
  const stored = await storedChain();
  const path = stored[which];
  const damaged = damage(await readFile(path, 'utf8'));
  await writeFile(path, damaged);
  const nodes = nodesIn(stored.folder);
  const expected = { code: 'sandbox_unavailable', message: expect.stringContaining(join(stored.folder, 'base.')) };
  await expect(nodes.on('base')).rejects.toMatchObject(expected);
  expect(await readFile(path, 'utf8')).toBe(damaged);
  expect(nodes.running()).toEqual([]);
  await nodes.reset();
  expect(await (await nodes.on('base')).nonce(newAddress())).toBe(0);
});

test.each<readonly [string, (bytes: Buffer) => Buffer]>([
  ['removed', () => Buffer.alloc(0)],
  ['cut off', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['no database', () => Buffer.from('hello, this is no database at all')],
  ['without its last pages', (bytes) => bytes.subarray(0, bytes.length - 4096)],
])('names a damaged history (%s), and does not change the file', async (_kind, damage) => {
  const { folder, history } = await storedChain();
  const damaged = damage(await readFile(history));
  await writeFile(history, damaged);
  const nodes = nodesIn(folder);
  const expected = { code: 'sandbox_unavailable', message: expect.stringContaining(history) };
  await expect(nodes.on('base')).rejects.toMatchObject(expected);
  if (damaged.length > 0) expect(await readFile(history)).toEqual(damaged);
  await nodes.reset();
  expect(await (await nodes.on('base')).nonce(newAddress())).toBe(0);
});

test('rejects the history of another chain', async () => {
  const [own, other] = [await storedChain(), await storedChain()];
  await copyFile(other.history, own.history);
  const expected = { code: 'sandbox_unavailable', message: expect.stringContaining(own.history) };
  await expect(nodesIn(own.folder).on('base')).rejects.toMatchObject(expected);
});

test('rejects a read of a stored block whose text was changed', async () => {
  const { folder, history } = await storedChain();
  // Unused bytes of a page may have the text as well, so that all occurrences change.
  const text = await readFile(history, 'latin1');
  await writeFile(history, text.replaceAll('"number":"0x4"', '"number":"0x5"'), 'latin1');
  const node = await nodesIn(folder).on('base');
  const all = [0, 1, 2, 3, 4].map((number) => node.read('eth_getBlockByNumber', [`0x${number}`, true]));
  const outcomes = await Promise.allSettled(all);
  const failed = outcomes.filter(({ status }) => status === 'rejected');
  expect(failed).toMatchObject([{ reason: { code: 'sandbox_unavailable' } }]);
});

test('refuses to start a chain with a log but without its state file', async () => {
  const stored = await storedChain();
  await rm(stored.state);
  await expect(nodesIn(stored.folder).on('base')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  expect(await readFile(stored.log, 'utf8')).not.toBe('');
});
