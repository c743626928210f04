import { execFileSync } from 'node:child_process';
import { link, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openResults, type RowChange } from '../../src/bulk/results.ts';
import { systemDisk } from '../../src/io/files/disk.ts';
import { systemFiles as files, filesOn } from '../../src/io/files/files.ts';
import { temporaryFolder } from '../support/io.ts';
import { startProgram } from './programs.ts';

const NO_ROWS = 'none';

const change = (row: number): RowChange => ({ row, id: `id-${row}`, status: 'paid' });

const linesOf = async (path: string): Promise<readonly Record<string, unknown>[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** Files that count the syncs, and whose writes fail above `room` bytes. */
const countingFiles = () => {
  const disk = { syncs: 0, room: Number.POSITIVE_INFINITY };
  const counted = filesOn({
    ...systemDisk,
    open: async (path, use, mode) => {
      const file = await systemDisk.open(path, use, mode);
      const write = async (bytes: Uint8Array | string) => {
        await file.write(Buffer.from(bytes as string).subarray(0, disk.room));
        if (bytes.length > disk.room) throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC' });
      };
      const sync = async () => {
        disk.syncs += 1;
        await file.sync();
      };
      return { ...file, write, sync };
    },
  });
  return { disk, files: counted };
};

describe('the results file', () => {
  it('is private, and has one line for each change, with null for what is absent', async () => {
    const path = join(await temporaryFolder(), 'results.ndjson');
    const results = await openResults({ files }, path, NO_ROWS);
    const error = { code: 'rejected', message: 'no\u001b[2J' };
    await results.write({ row: 1, id: 'a', status: 'pending', payment_id: 'pay_1', more: { digest: 'd' } });
    await results.write({ row: 1, id: 'a', status: 'failed', payment_id: 'pay_1', tid_hash: '0x1', exit: 9, error });
    await results.write({ row: 2, status: 'invalid', exit: 2, error: 'the id is missing' });
    await results.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).split('\n')).toEqual([
      '{"row":1,"id":"a","status":"pending","payment_id":"pay_1","tid_hash":null,"exit":null,"error":null,"digest":"d"}',
      expect.stringMatching(/^\{"row":1,"id":"a","status":"failed",.*"exit":9,"error":\{.*no\\u001b\[2J"\}\}$/),
      '{"row":2,"id":null,"status":"invalid","payment_id":null,"tid_hash":null,"exit":2,"error":"the id is missing"}',
      '',
    ]);
  });

  it('keeps the lines of earlier runs, and ends a half-written last line', async () => {
    const path = join(await temporaryFolder(), 'results.ndjson');
    for (const [before, after] of [
      ['', ''],
      ['{"row":1}\n', '{"row":1}\n'],
      ['{"row":1}\n{"ro', '{"row":1}\n{"ro\n'],
    ] as const) {
      await writeFile(path, before);
      const results = await openResults({ files }, path, NO_ROWS);
      await Promise.all([results.write(change(7)), results.write(change(8))]);
      await results.close();
      const text = await readFile(path, 'utf8');
      expect(text.startsWith(`${after}{"row":7,`)).toBe(true);
      expect(text.slice(after.length).split('\n')).toHaveLength(3);
    }
  });

  it('shares a sync between the lines that wait, and keeps their order', async () => {
    const path = join(await temporaryFolder(), 'results.ndjson');
    const { disk, files: counted } = countingFiles();
    const results = await openResults({ files: counted }, path, NO_ROWS);
    const rows = Array.from({ length: 500 }, (_, at) => at);
    await Promise.all(rows.map((row) => results.write(change(row))));
    await results.close();
    expect(disk.syncs).toBeLessThanOrEqual(2);
    expect((await linesOf(path)).map(({ row }) => row)).toEqual(rows);
  });

  it('refuses a line when the disk is full, leaves no part of it, and accepts the next one', async () => {
    const path = join(await temporaryFolder(), 'results.ndjson');
    const { disk, files: full } = countingFiles();
    const results = await openResults({ files: full }, path, NO_ROWS);
    await results.write(change(1));
    disk.room = 10;
    const refused = { code: 'unwritable_file', message: `${path} cannot be written: no space left` };
    const both = await Promise.allSettled([results.write(change(2)), results.write(change(3))]);
    expect(both).toMatchObject([
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: refused },
    ]);
    disk.room = Number.POSITIVE_INFINITY;
    await results.write(change(4));
    await results.close();
    expect((await linesOf(path)).map(({ row }) => row)).toEqual([1, 4]);
  });

  it('cannot be written when the disk does not sync its name', async () => {
    const path = join(await temporaryFolder(), 'results.ndjson');
    const syncFolder = async (): Promise<never> => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    };
    const refused = { code: 'unwritable_file', message: `${path} cannot be written: EIO: i/o error` };
    const failing = filesOn({ ...systemDisk, syncFolder });
    await expect(openResults({ files: failing }, path, NO_ROWS)).rejects.toMatchObject(refused);
  });

  it.each([
    ['a folder', 'is a folder', (path: string) => mkdir(path)],
    ['a pipe', 'is not a regular file', async (path: string) => execFileSync('mkfifo', [path])],
    ['a device', 'is not a regular file', (path: string) => symlink('/dev/null', path)],
  ])('is not %s', async (_, message, make) => {
    const path = join(await temporaryFolder(), 'results');
    await make(path);
    const refused = { code: 'invalid_input', message: `the results file ${path} ${message}` };
    await expect(openResults({ files }, path, NO_ROWS)).rejects.toMatchObject(refused);
  });

  it('is not the file with the rows, by any of its names', async () => {
    const folder = await temporaryFolder();
    const rows = join(folder, 'rows.csv');
    await writeFile(rows, 'id\n');
    await symlink(rows, join(folder, 'symbolic'));
    await link(rows, join(folder, 'hard'));
    const identity = (await files.facts(rows))?.identity ?? '';
    for (const name of ['rows.csv', 'symbolic', 'hard']) {
      const refused = { code: 'invalid_input', message: expect.stringMatching(/is the file with the rows$/) };
      await expect(openResults({ files }, join(folder, name), identity)).rejects.toMatchObject(refused);
    }
    expect(await readFile(rows, 'utf8')).toBe('id\n');
  });

  it('needs a folder that exists', async () => {
    const path = join(await temporaryFolder(), 'none', 'results.ndjson');
    const refused = { code: 'unwritable_file', message: `${path} cannot be written: its folder does not exist` };
    await expect(openResults({ files }, path, NO_ROWS)).rejects.toMatchObject(refused);
  });
});

const WRITER = `
import { openResults } from './src/bulk/results.ts';
import { systemFiles as files } from './src/io/files/files.ts';
const [path, first] = process.argv.slice(2);
const results = await openResults({ files }, path, 'none');
const write = async (start) => {
  for (let row = start; ; row += 10) {
    await results.write({ row, id: 'id-' + row, status: 'paid', error: 'x'.repeat(200) });
    process.stdout.write(row + '\\n');
  }
};
for (let start = 0; start < 10; start += 1) void write(Number(first) + start);
`;

it('kill -9 in the middle loses no line that was resolved, and the next run continues on a line of its own', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'results.ndjson');
  const resolved: number[] = [];
  for (let life = 0; life < 5; life += 1) {
    const program = await startProgram(folder, WRITER, [path, String(life * 1_000_000)]);
    let written = 0;
    for await (const line of createInterface({ input: program.stdout })) {
      resolved.push(Number(line));
      written += 1;
      if (written === 100 + life * 37) program.kill('SIGKILL');
    }
    // What a crash of the machine may leave, besides.
    if (life % 2 === 0) await writeFile(path, '{"row":12', { flag: 'a' });
  }
  const last = await openResults({ files }, path, NO_ROWS);
  await last.write(change(-1));
  await last.close();
  const whole = (await readFile(path, 'utf8')).split('\n').filter((line) => /^\{"row":-?\d+,.*\}$/.test(line));
  const rows = new Set(whole.map((line) => JSON.parse(line).row));
  expect(resolved.length).toBeGreaterThan(500);
  expect([...resolved, -1].filter((row) => !rows.has(row))).toEqual([]);
  expect(rows.size).toBe(whole.length);
});
