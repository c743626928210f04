import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemFiles } from '../../../src/io/files/files.ts';
import { temporaryFolder } from '../../support/io.ts';

const read = async (path: string, limit = 1000) => {
  const bytes = await systemFiles.readUserFile(path, limit);
  return bytes && Buffer.from(bytes).toString();
};

it('reads a whole file up to the size limit, and rejects a larger file', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, 'x'.repeat(1000));
  expect(await read(path)).toHaveLength(1000);
  await writeFile(path, 'x'.repeat(1001));
  await expect(read(path)).rejects.toMatchObject({ code: 'unreadable_file', message: /larger than 1000 bytes/ });
});

it('returns undefined for a missing file and an empty text for /dev/null, and rejects a folder', async () => {
  const folder = await temporaryFolder();
  expect(await read(join(folder, 'none'))).toBeUndefined();
  await expect(read(folder)).rejects.toMatchObject({ code: 'unreadable_file' });
  expect(await read('/dev/null')).toBe('');
});

it('rejects an endless device at the size limit', async () => {
  await expect(read('/dev/zero', 1_000_000)).rejects.toMatchObject({ code: 'unreadable_file' });
});

it('reads a named pipe until its writer closes the pipe, also when the writer opens the pipe late', async () => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reading = read(pipe);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const writer = createWriteStream(pipe);
  writer.write('first ');
  await new Promise((resolve) => setTimeout(resolve, 50));
  writer.end('second');
  expect(await reading).toBe('first second');
});
