import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How often each side of a ratio runs. */
export const RUNS = 15;

export const PROGRAM = fileURLToPath(new URL('../../bin/bursar.js', import.meta.url));

/** The environment without the user's settings for Node and for the measured programs. */
export const cleanEnv = (more) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:BURSAR|NODE|STRIPE)_/.test(name))),
  ...more,
});

/** Runs a command to its end. Returns its milliseconds. Throws with what it wrote to stderr if it fails. */
export const timeOf = (command, args, env) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const took = performance.now() - start;
      if (code === 0) resolve(took);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`));
    });
  });

/** Milliseconds of `bursar` with arguments, on the Node of this process. */
export const bursarTime = (args, env) => timeOf(process.execPath, [PROGRAM, ...args], env);

/** Milliseconds of `node -e` with some code, on the Node of this process. */
export const nodeTime = (code, env) => timeOf(process.execPath, ['-e', code], env);

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Results of several pieces of work, done in turn so that load on the machine affects all. The first turn warms up. */
export const turnsOf = async (runs, ...works) => {
  const results = works.map(() => []);
  for (let run = -1; run < runs; run += 1) {
    for (const [at, work] of works.entries()) {
      const result = await work();
      if (run >= 0) results[at].push(result);
    }
  }
  return results;
};

/** Medians of several pieces of work, done in turn. */
export const inTurn = async (runs, ...works) => (await turnsOf(runs, ...works)).map(median);

/** A function that measures the milliseconds of some work. */
export const timed = (work) => async () => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Milliseconds as text, with two decimals below 10. */
export const ms = (value) => `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`;

/**
 * A row of a table is `{ label, against, own, other, value, unit, budget, minimum }`. `own` and `other` are texts of the two
 * measured values. `value` is their ratio, or with a `unit` a value by itself. A `budget` is a maximum, `minimum` a minimum.
 */
export const ratioRow = (label, against, [own, other], budget) => ({
  label,
  against,
  own: ms(own),
  other: ms(other),
  value: own / other,
  budget,
});

/** A row with one value and no second one beside it. */
export const valueRow = (label, value, unit = 'ms') => ({ label, value, unit });
