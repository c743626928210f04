// The checks that build nothing, side by side: what each says comes whole and in their order, and whether one failed last.
import { spawn } from 'node:child_process';
import process from 'node:process';

const CHECKS = ['format', 'types', 'promises', 'imports', 'language', 'house', 'unused', 'lockfile'];

const run = (check) =>
  new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', `check:${check}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
    child.once('error', (error) => resolve({ check, isGreen: false, said: String(error) }));
    child.once('close', (code) => resolve({ check, isGreen: code === 0, said: Buffer.concat(said).toString() }));
  });

const ended = await Promise.all(CHECKS.map(run));
for (const { said } of ended) process.stdout.write(said);
const failed = ended.filter(({ isGreen }) => !isGreen).map(({ check }) => `check:${check}`);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
