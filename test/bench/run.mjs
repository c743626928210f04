import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchKeys } from './keys.mjs';
import { benchSandbox } from './sandbox.mjs';
import { benchStartUp } from './start-up.mjs';

/** Ratios taken in one run; absolute times belong to the machine. */
const home = await mkdtemp(join(tmpdir(), 'bursar-bench-'));
const rows = [];
try {
  for (const bench of [benchStartUp, benchKeys, benchSandbox]) rows.push(...(await bench(home)));
} finally {
  await rm(home, { recursive: true, force: true });
}

const [cpu] = cpus();
const machine = `${cpus().length} × ${cpu?.model.trim()}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
const cells = [
  ['measured', 'bursar', 'against', 'ratio or time', 'budget', 'within'],
  ...rows.map(({ what, own, other, value, budget, unit }) => [
    what,
    own,
    other,
    unit === 'ms' ? `${Math.round(value)} ms` : value.toFixed(2),
    unit === 'ms' ? `${budget} ms` : String(budget),
    value <= budget ? 'yes' : 'no',
  ]),
];
const widths = cells[0].map((_, at) => Math.max(...cells.map((row) => row[at].length)));
const line = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
const [head, ...body] = cells;
const table = [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');

process.stdout.write(`${machine}\n\n${table}\n`);

const START = '<!-- table -->';
const path = new URL('README.md', import.meta.url);
const text = await readFile(path, 'utf8');
await writeFile(path, `${text.slice(0, text.indexOf(START) + START.length)}\n\n${machine}\n\n${table}\n`);
