import { expect, it } from 'vitest';
import { indexFile } from '../../src/journal/file-index.ts';
import { testIo } from '../support/io.ts';

it('the index of a large journal is read in parts, and each operation is in it', async () => {
  const { io } = await testIo();
  const { index } = indexFile(io);
  const entries = Array.from({ length: 20_000 }, (_, at) => ({
    id: `20261128T000000Z-${at.toString(16).padStart(8, '0')}`,
    keys: ` name:${at.toString(16).padStart(16, '0')} ${'wallet:0123456789abcdef '.repeat(6)}`,
  }));
  for (let at = 0; at < entries.length; at += 1_000) await index.add(entries.slice(at, at + 1_000));
  expect(await index.read()).toEqual(new Map(entries.map(({ id, keys }) => [id, keys])));
});
