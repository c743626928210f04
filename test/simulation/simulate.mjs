// Runs lives on all cores:
//   node test/simulation/simulate.mjs [--lives N] [--seed S] [--seconds S] [--cores N] [--survey] [--shared] [--bulk] [--out FILE]
//                                                        --shared: the machines of each life share a journal in a database
//                                                        --bulk: each life has bulk payments
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
import { bundle, bundleMutants, bundleTogether, ROOT } from './build.mjs';
import { MUTANTS } from './mutants.mjs';

const optionOf = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};

// A reader that ends early, such as `head`, is no failure.
process.stdout.on('error', () => process.exit());

const scripts = optionOf('scripts');

/** The options that choose the kind of the lives. */
const kinds = ['--shared', '--bulk'].filter((name) => process.argv.includes(name));

const folder = mkdtempSync(join(tmpdir(), 'bursar-simulation-'));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

const only = optionOf('only')?.split(',');
const chosen = MUTANTS.filter(({ stored }) => !only || only.includes(stored));

const bundleProgram = () => bundle(join(folder, 'program.cjs'));
const bundleChosen = () => bundleMutants(join(folder, 'mutants.cjs'), chosen);

/** Runs a bundle; resolves with its exit code and its output. */
const run = (file, args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.once('close', (code) => resolve({ code, printed }));
  });

const cores = Number(optionOf('cores', availableParallelism()));

/** Runs a bundle on all cores, with the arguments of each. */
const runOnCores = (file, argsOf) => Promise.all(Array.from({ length: cores }, (_, core) => run(file, argsOf(core))));

/** Runs the lives of a bundle on all cores. Copies the first failure to `out`. */
const runOnAll = async (file, lives, seed, { out, isSurvey = false }) => {
  const livesPerCore = Math.ceil(lives / cores);
  const failureOf = (core) => join(folder, `failure-${core}.json`);
  const ends = await runOnCores(file, (core) => [
    ...['--lives', String(livesPerCore), '--seed', String(seed + core * livesPerCore), '--out', failureOf(core)],
    ...['--seconds', optionOf('seconds', 'Infinity')],
    ...(isSurvey ? ['--survey'] : []),
    ...kinds,
  ]);
  const failed = ends.findIndex(({ code }) => code > 0);
  if (out && failed >= 0) copyFileSync(failureOf(failed), out);
  return ends;
};

const storedLife = (name) => fileURLToPath(new URL(`found/${name}.json`, import.meta.url));

const printedOf = (ends) => ends.map(({ printed }) => printed).join('');

/** Runs lives on each mutant alone. Returns the names of the mutants that break a promise, with the first such life. */
const findAlone = async (file, mutants, seeds) => {
  const ends = await runOnCores(file, (core) => {
    const own = mutants.filter((_, at) => at % cores === core);
    return ['--alone', own.map(({ stored }) => stored).join(','), '--seeds', seeds.join(','), ...kinds];
  });
  return new Map([...printedOf(ends).matchAll(/^(\S+): life (\d+): (.*)$/gm)].map(([, ...found]) => [found[0], found]));
};

/** The lives that run between two looks at what was found: few at first, when nearly each life finds a mutant. */
const [FIRST_LIVES, MAX_LIVES] = [16, 1000];

/**
 * Searches for mutants that are in one program together. A life that breaks a promise is repeated on each of them alone, and
 * those that it finds leave the program. Returns those that survive.
 */
const findTogether = async (alone, mutants, lives, first) => {
  const file = join(folder, 'together.cjs');
  let left = mutants;
  let size = FIRST_LIVES;
  for (let seed = first; seed < first + lives && left.length > 0; seed += size, size = Math.min(2 * size, MAX_LIVES)) {
    await bundleTogether(file, left);
    const printed = printedOf(await runOnAll(file, Math.min(size, first + lives - seed), seed, { isSurvey: true }));
    const broken = [...printed.matchAll(/^life (\d+) /gm)].map(([, name]) => name);
    const found = broken.length > 0 ? await findAlone(alone, left, broken) : new Map();
    for (const { name, stored } of left.filter((mutant) => found.has(mutant.stored))) {
      const [, life, problem] = found.get(stored);
      process.stdout.write(`${name}: life ${life}: ${problem}\n`);
      if (process.argv.includes('--store'))
        await run(alone, ['--mutant', stored, '--lives', '1', '--seed', life, '--out', storedLife(stored), ...kinds]);
    }
    left = left.filter(({ stored }) => !found.has(stored));
  }
  return left;
};

/** Searches for each mutant. A mutant that survives is a failure of the simulation. */
const findMutants = async (lives, seed) => {
  const alone = await bundleChosen();
  for (let rest = only ? chosen : chosen.filter(({ isRare }) => !isRare); rest.length > 0; ) {
    const together = await bundleTogether(join(folder, 'together.cjs'), rest);
    for (const { name } of await findTogether(alone, together, lives, seed)) {
      process.stdout.write(`${name}: SURVIVES\n`);
      process.exitCode = 1;
    }
    rest = rest.filter((mutant) => !together.includes(mutant));
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
  runAlone(await bundleChosen(), ['--found', chosen.map(({ stored }) => storedLife(stored)).join(',')]);

/** Runs the fixed set of lives, and prints its table of coverage and the empty cells without a reason. */
const cover = async () => {
  const fileOf = (core) => join(folder, `coverage-${core}.json`);
  const file = await bundleProgram();
  const flags = process.argv.filter((arg) => arg === '--survey');
  const ends = await runOnCores(file, (core) => [
    ...['--cover', '--core', String(core), '--cores', String(cores), '--out', fileOf(core)],
    ...flags,
  ]);
  process.stdout.write(printedOf(ends));
  process.exitCode = Math.max(...ends.map(({ code }) => code ?? 1));
  if (process.exitCode > 0 && flags.length === 0) return;
  const { code, printed } = await run(file, ['--table', ends.map((_, core) => fileOf(core)).join(',')]);
  process.stdout.write(printed);
  process.exitCode = Math.max(process.exitCode, code);
};

try {
  const [lives, seed] = [Number(optionOf('lives', '1000')), Number(optionOf('seed', '1'))];
  if (scripts) await runScripts();
  else if (process.argv.includes('--mutants')) await findMutants(lives, seed);
  else if (process.argv.includes('--stored')) await repeatStored();
  else if (process.argv.includes('--cover')) await cover();
  else {
    const file = await bundleProgram();
    const stored = optionOf('replay');
    const ends = stored
      ? [await run(file, ['--replay', stored])]
      : await runOnAll(file, lives, seed, { out: optionOf('out'), isSurvey: process.argv.includes('--survey') });
    process.stdout.write(printedOf(ends));
    process.exitCode = Math.max(...ends.map(({ code }) => code ?? 1));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
