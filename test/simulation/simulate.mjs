// Runs lives on all cores:
//   node test/simulation/simulate.mjs [--lives N] [--seed S] [--seconds S] [--cores N] [--survey] [--out FILE]
//   node test/simulation/simulate.mjs --replay FILE
//   node test/simulation/simulate.mjs --mutants [--lives N] [--only A,B] [--store]
//                                                        searches for each mutant; --store writes the lives to found/
//   node test/simulation/simulate.mjs --cover                             a fixed set that fills the table of coverage
//   node test/simulation/simulate.mjs --stored                            repeats the lives in found/
//   node test/simulation/simulate.mjs --scripts FILE                      runs scripts for judged.ts
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bundle, ROOT } from './build.mjs';
import { MUTANTS } from './mutants.mjs';

const optionOf = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};

// A reader that ends early, such as `head`, is no failure.
process.stdout.on('error', () => process.exit());

const scripts = optionOf('scripts');

const folder = mkdtempSync(join(tmpdir(), 'bursar-simulation-'));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

const only = optionOf('only')?.split(',');
const chosen = MUTANTS.filter(({ stored }) => !only || only.includes(stored));

const bundleProgram = () => bundle(join(folder, 'program.cjs'));
const bundleMutants = () => bundle(join(folder, 'mutants.cjs'), { mutants: chosen });

/** Runs a bundle; resolves with its exit code and its output. `code` is null after `stop`. */
const run = (file, args, stop) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    stop?.addEventListener('abort', () => child.kill());
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.once('close', (code) => resolve({ code, printed }));
  });

/** Runs the lives of a bundle on all cores. Copies the first failure to `out`. */
const runOnAll = async (file, lives, seed, { out, mutant } = {}) => {
  const cores = Number(optionOf('cores', availableParallelism()));
  const livesPerCore = Math.ceil(lives / cores);
  // One failure is enough to find a mutant.
  const first = new AbortController();
  const ends = await Promise.all(
    Array.from({ length: cores }, (_, core) => {
      const failure = join(folder, `failure-${core}.json`);
      const args = ['--lives', String(livesPerCore), '--seed', String(seed + core * livesPerCore), '--out', failure];
      const flags = [
        ...(mutant ? ['--mutant', mutant] : []),
        ...process.argv.filter((arg) => arg === '--survey'),
        '--seconds',
        optionOf('seconds', 'Infinity'),
      ];
      const running = run(file, [...args, ...flags], first.signal);
      if (mutant) void running.then(({ code }) => code > 0 && first.abort());
      return running;
    }),
  );
  const failed = ends.findIndex(({ code }) => code > 0);
  if (out && failed >= 0) copyFileSync(join(folder, `failure-${failed}.json`), out);
  return ends;
};

const storedLife = (name) => fileURLToPath(new URL(`found/${name}.json`, import.meta.url));

/** Searches for each mutant. A mutant that survives is a failure of the simulation. */
const findMutants = async (lives, seed) => {
  const file = await bundleMutants();
  for (const { name, stored } of chosen) {
    const out = process.argv.includes('--store') ? storedLife(stored) : undefined;
    const found = (await runOnAll(file, lives, seed, { out, mutant: stored })).find(({ code }) => code > 0);
    process.stdout.write(`${name}: ${found ? found.printed.split('\n')[0] : 'SURVIVES'}\n`);
    if (!found) process.exitCode = 1;
  }
};

/** Runs a bundle and prints its output. */
const runAlone = async (file, args) => {
  const { code, printed } = await run(file, args);
  process.stdout.write(printed);
  process.exitCode = code ?? 1;
};

const runScripts = async () =>
  runAlone(await bundle(join(folder, 'judged.cjs'), { entry: 'judged.ts', define: { ON_SANDBOX: 'true' } }), [scripts]);

/** Repeats the life that found each mutant. It must break a promise on the mutant, and none on the program. */
const repeatStored = async () =>
  runAlone(await bundleMutants(), ['--found', chosen.map(({ stored }) => storedLife(stored)).join(',')]);

/** Runs the fixed set of lives, and prints its table of coverage and the empty cells without a reason. */
const cover = async (cores) => {
  const files = Array.from({ length: cores }, (_, core) => join(folder, `coverage-${core}.json`));
  const file = await bundleProgram();
  const flags = process.argv.filter((arg) => arg === '--survey');
  const ends = await Promise.all(
    files.map((out, core) =>
      run(file, ['--cover', '--core', String(core), '--cores', String(cores), '--out', out, ...flags]),
    ),
  );
  for (const { printed } of ends) process.stdout.write(printed);
  process.exitCode = Math.max(...ends.map(({ code }) => code ?? 1));
  if (process.exitCode > 0 && flags.length === 0) return;
  const { code, printed } = await run(file, ['--table', files.join(',')]);
  process.stdout.write(printed);
  process.exitCode = Math.max(process.exitCode, code);
};

try {
  const [lives, seed] = [Number(optionOf('lives', '1000')), Number(optionOf('seed', '1'))];
  if (scripts) await runScripts();
  else if (process.argv.includes('--mutants')) await findMutants(lives, seed);
  else if (process.argv.includes('--stored')) await repeatStored();
  else if (process.argv.includes('--cover')) await cover(Number(optionOf('cores', availableParallelism())));
  else {
    const file = await bundleProgram();
    const stored = optionOf('replay');
    const ends = stored
      ? [await run(file, ['--replay', stored])]
      : await runOnAll(file, lives, seed, { out: optionOf('out') });
    for (const { printed } of ends) process.stdout.write(printed);
    process.exitCode = Math.max(...ends.map(({ code }) => code ?? 1));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
