import { spawn } from 'node:child_process';

/** The environment without settings of whoever runs the bench. */
export const cleanEnv = (more) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BURSAR_'))),
  ...more,
});

/** Runs a command to its end and gives its milliseconds. */
export const timeOf = (command, args, env) =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(performance.now() - start) : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians of two pieces of work, done in turn so that both meet the same machine. */
export const inTurn = async (runs, a, b) => {
  const times = { a: [], b: [] };
  await a();
  await b();
  for (let run = 0; run < runs; run += 1) {
    times.a.push(await a());
    times.b.push(await b());
  }
  return [median(times.a), median(times.b)];
};
