import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/io.ts';
import { fundedPayer, killNode, newAddress, nodesIn, pay } from './support.ts';

/** A chain with a state and a log behind it. */
const keptChain = async () => {
  const folder = await temporaryFolder();
  const nodes = nodesIn(folder);
  const payer = await fundedPayer(await nodes.on('base'));
  await killNode(nodes, 'base');
  await pay(await nodes.on('base'), payer, newAddress(), 1n);
  await nodes.close();
  return { folder, state: join(folder, 'base.json'), log: join(folder, 'base.1.log') };
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
])('a %s file that is damaged (%s) is named and left as it is', async (which, _how, damage) => {
  const kept = await keptChain();
  const path = kept[which];
  const damaged = damage(await readFile(path, 'utf8'));
  await writeFile(path, damaged);
  const nodes = nodesIn(kept.folder);
  const expected = { code: 'sandbox_unavailable', message: expect.stringContaining(join(kept.folder, 'base.')) };
  await expect(nodes.on('base')).rejects.toMatchObject(expected);
  expect(await readFile(path, 'utf8')).toBe(damaged);
  expect(nodes.running()).toEqual([]);
  await nodes.reset();
  expect(await (await nodes.on('base')).nonce(newAddress())).toBe(0);
});

test('a log whose state file was removed is not taken for a new chain', async () => {
  const kept = await keptChain();
  await rm(kept.state);
  await expect(nodesIn(kept.folder).on('base')).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  expect(await readFile(kept.log, 'utf8')).not.toBe('');
});
