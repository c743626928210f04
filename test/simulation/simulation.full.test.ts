import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FOUND = fileURLToPath(new URL('found', import.meta.url));

const simulate = (...args: readonly string[]) =>
  new Promise<{ readonly failed: boolean; readonly printed: string }>((resolve) => {
    const script = fileURLToPath(new URL('simulate.mjs', import.meta.url));
    execFile(process.execPath, [script, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: stdout + stderr }),
    );
  });

const LIVES = 120;

/** What a life of this set suffers at least once. */
const FAULTS = ['kill before', 'kill inside', 'kill after', 'power loss', 'ENOSPC', 'EIO', 'stop', 'interrupt'];
const NETWORK = ['lose request', 'lose answer', 'truncate', 'duplicate', 'wrong answer', 'late effect', 'reorganise'];

it('of many lives with kills, lost power, broken disks and lost answers none breaks a promise', async () => {
  const { failed, printed } = await simulate('--lives', String(LIVES), '--seed', '1');
  expect(failed, printed).toBe(false);
  const commands = [...printed.matchAll(/(\d+) command lines, \d+ steps: no broken promise/g)].map(([, count]) =>
    Number(count),
  );
  expect(commands.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2 * LIVES);
  for (const fault of [...FAULTS, ...NETWORK]) expect(printed).toMatch(new RegExp(`${fault} [1-9]`));
}, 300_000);

it('each fault that was put into the program is found by its stored life, which the program itself survives', async () => {
  const { failed, printed } = await simulate('--stored');
  expect(failed, printed).toBe(false);
  const lines = printed.trim().split('\n');
  expect(lines.pop()).toBe('without a mutant: no broken promise');
  const wanted = readdirSync(FOUND).map((file) => `${file.replace('.json', '')}: found`);
  expect(lines.toSorted()).toEqual(wanted.toSorted());
}, 300_000);
