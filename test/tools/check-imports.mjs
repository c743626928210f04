import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** dependency-cruiser also reports no violation if it finds no module, so too few modules are a failure. */
const MIN_MODULES = 50;

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
/** Globals that only io may use: the process, the clock and random numbers. */
const GLOBALS = /(?<![\w.'"`/-])(?:process\.|console\.|globalThis\.|Date\.now|Math\.random|new Date\(\))/;
const MAY_USE_GLOBALS = /^src\/(?:io\/|cli\/main\.ts)/;

/** Only `io.derive` turns a password into a key, and only it starts a thread. */
const DERIVES = /\b(?:scrypt|pbkdf2|argon2)(?:Sync)?\b[^{}]*\} (?:from|=)[^;]*'node:crypto'|worker_threads/;
const MAY_DERIVE = /^src\/(?:io\/system|sandbox\/)/;

const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
const derives = (path) => !MAY_DERIVE.test(path) && DERIVES.test(withoutComments(readFileSync(path, 'utf8')));
const usesGlobals = (path) => !MAY_USE_GLOBALS.test(path) && GLOBALS.test(withoutComments(readFileSync(path, 'utf8')));

const own = modules.filter(({ source }) => source.startsWith('src/'));
for (const { rule, from, to } of summary.violations) process.stderr.write(`${rule.name}: ${from} -> ${to}\n`);
const withGlobals = own.map(({ source }) => source).filter(usesGlobals);
for (const path of withGlobals) process.stderr.write(`globals: ${path} uses a global that only io may use\n`);
const deriving = own.map(({ source }) => source).filter(derives);
for (const path of deriving)
  process.stderr.write(`derive: ${path} derives a key or starts a thread without io.derive\n`);
process.stdout.write(`imports: ${own.length} modules, ${summary.violations.length} violations\n`);
process.exitCode =
  own.length < MIN_MODULES || summary.violations.length + withGlobals.length + deriving.length > 0 ? 1 : 0;
