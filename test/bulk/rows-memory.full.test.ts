import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { startProgram } from './programs.ts';

const ROWS = 250_000;
const MEGABYTE = 1_000_000;

const [FIRST, SECOND] = ['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'];

/** 850 bytes each: a payment to two receivers, with a long note. One in ten has quotes and a line end in a cell. */
const rowOf = (at: number): string => {
  const name = at % 10 === 0 ? `"Doe, ""J""\n${at}"` : `Jo Doe ${at}`;
  const id = `payment-${String(at).padStart(12, '0')}`;
  return `${id},${1 + (at % 100) / 100},USDT,${name},${FIRST}=70 ${SECOND}=30,"${'note '.repeat(141)}"\n`;
};

const writeRows = async (path: string): Promise<void> => {
  const file = createWriteStream(path);
  file.write('id,amount_from,crypto_from,payer_name,split,payer_note\n');
  for (let at = 0; at < ROWS; at += 1000) {
    const rows = Array.from({ length: 1000 }, (_, more) => rowOf(at + more)).join('');
    if (!file.write(rows)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
};

const READER = `
import { openRows } from './src/bulk/rows.ts';
import { systemFiles as files } from './src/io/files/files.ts';
const names = ['amount_from', 'crypto_from', 'payer_name', 'split', 'payer_note'];
const columns = new Map(names.map((name) => [name, { many: name === 'split' }]));
const before = process.memoryUsage().rss;
const started = performance.now();
let [rows, problems, most] = [0, 0, 0];
const file = await openRows({ files, interrupted: new AbortController().signal }, process.argv[2], columns);
const opened = performance.now();
for await (const row of file.rows()) {
  if (row.kind === 'row') rows += 1;
  else problems += 1;
  if (rows % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss);
}
const seconds = (performance.now() - opened) / 1000;
const { user } = process.cpuUsage();
const perSecond = Math.round(rows / seconds);
console.log(JSON.stringify({ size: file.facts.size, rows, problems, grown: most - before, openMs: opened - started, perSecond, cpuSeconds: user / 1e6 }));
`;

it('a file of 200 MB is read with less than 100 MB of memory', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'rows.csv');
  await writeRows(path);
  const program = await startProgram(folder, READER, [path]);
  const result = JSON.parse(await text(program.stdout));
  expect(result).toMatchObject({ rows: ROWS, problems: 0 });
  expect(result.size).toBeGreaterThan(200 * MEGABYTE);
  expect(result.grown).toBeLessThan(100 * MEGABYTE);
}, 600_000);
