// Runs the checks that need no build at the same time. Prints the output of each as a whole, then the failed checks.
import { spawn } from 'node:child_process';
import process from 'node:process';

const CHECKS = ['format', 'types', 'promises', 'imports', 'language', 'house', 'unused', 'lockfile'];

const run = (check) =>
  new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', `check:${check}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => output.push(bytes));
    child.once('error', (error) => resolve({ check, isGreen: false, output: String(error) }));
    child.once('close', (code) => resolve({ check, isGreen: code === 0, output: Buffer.concat(output).toString() }));
  });

const results = await Promise.all(CHECKS.map(run));
for (const { output } of results) process.stdout.write(output);
const failed = results.filter(({ isGreen }) => !isGreen).map(({ check }) => `check:${check}`);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
