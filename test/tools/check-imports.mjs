import { execFileSync } from 'node:child_process';

/** dependency-cruiser says "no violations" also when it saw nothing: its count of modules is part of the check. */
const FEWEST_MODULES = 50;

const out = execFileSync(
  process.execPath,
  [
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'src',
    '--config',
    'test/tools/dependency-cruiser.cjs',
    '--output-type',
    'json',
  ],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const { modules, summary } = JSON.parse(out);
const own = modules.filter(({ source }) => source.startsWith('src/'));
for (const { rule, from, to } of summary.violations) process.stderr.write(`${rule.name}: ${from} -> ${to}\n`);
process.stdout.write(`imports: ${own.length} modules, ${summary.violations.length} violations\n`);
process.exitCode = own.length < FEWEST_MODULES || summary.violations.length > 0 ? 1 : 0;
