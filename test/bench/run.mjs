import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchDeposits } from './deposits.mjs';
import { benchJournal } from './journal.mjs';
import { benchKeys } from './keys.mjs';
import { benchMock } from './mock.mjs';
import { benchPayments } from './payments.mjs';
import { benchSandbox } from './sandbox.mjs';
import { benchSign } from './sign.mjs';
import { benchSolanaReview } from './solana-review.mjs';
import { benchStartUp } from './start-up.mjs';

/** Ratios taken in one run; absolute times belong to the machine. */
const home = await mkdtemp(join(tmpdir(), 'bursar-bench-'));
const rows = [];
try {
  const all = [
    ...[benchStartUp, benchKeys, benchSign, benchSolanaReview, benchJournal],
    ...[benchSandbox, benchMock, benchPayments, benchDeposits],
  ];
  for (const bench of all) rows.push(...(await bench(home)));
} finally {
  await rm(home, { recursive: true, force: true });
}

const [cpu] = cpus();
/** Where it is set, Node reads a file of certificates before anything else: each start takes longer, `node -e 0` too. */
const certificates = process.env.NODE_EXTRA_CA_CERTS ? ', NODE_EXTRA_CA_CERTS set' : '';
const machine = `${cpus().length} × ${cpu?.model.trim()}, Node ${process.version}${certificates}, ${new Date().toISOString().slice(0, 10)}`;
/** Ratios to two digits, all else as a whole with its unit. */
const shown = (value, unit) => {
  if (value === undefined) return '';
  return unit === undefined ? value.toFixed(2) : `${Math.round(value)} ${unit}`;
};
/** A budget is a most, or a `least`. */
const limit = ({ budget, least, unit }) =>
  [least === undefined ? String(budget) : `at least ${least}`, unit].filter(Boolean).join(' ');
const verdict = ({ value, budget, least }) => {
  if (value === undefined) return 'not measured';
  return (least === undefined ? value <= budget : value >= least) ? 'yes' : 'no';
};
const cells = [
  ['measured', 'bursar', 'against', 'ratio or value', 'budget', 'within'],
  ...rows.map((row) => {
    const value = shown(row.value, row.unit);
    return [row.what, row.own ?? value, row.other, value, limit(row), verdict(row)];
  }),
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
