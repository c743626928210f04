import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemFiles } from '../../../src/io/files/files.ts';
import { temporaryFolder } from '../../support/io.ts';

const read = async (path: string, most = 1000) => {
  const bytes = await systemFiles.readUserFile(path, most);
  return bytes && Buffer.from(bytes).toString();
};

it('a file is read whole, up to the limit and no further', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, 'x'.repeat(1000));
  expect(await read(path)).toHaveLength(1000);
  await writeFile(path, 'x'.repeat(1001));
  await expect(read(path)).rejects.toMatchObject({ code: 'unreadable_file', message: /larger than 1000 bytes/ });
});

it('no file is none, a folder is said to be one, an empty device is empty', async () => {
  const folder = await temporaryFolder();
  expect(await read(join(folder, 'none'))).toBeUndefined();
  await expect(read(folder)).rejects.toMatchObject({ code: 'unreadable_file' });
  expect(await read('/dev/null')).toBe('');
});

it('a device without end ends at the limit', async () => {
  await expect(read('/dev/zero', 1_000_000)).rejects.toMatchObject({ code: 'unreadable_file' });
});

it('a named pipe is read to the end of its writer, who may come late', async () => {
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
