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

it('no life of the fixed set breaks a promise in any operation state, with any fault or documented error', async () => {
  const { failed, printed } = await simulate('--cover', '--cores', '1');
  expect(printed).not.toContain('empty without a reason');
  expect(failed, printed).toBe(false);
  expect(printed).toMatch(/\d{3,} lives, \d{4,} command lines, \d+ steps: no broken promise/);
  for (const mode of ['honest', 'faulty', 'hostile']) {
    const [, covered, all] =
      new RegExp(`of a service that is ${mode}: (\\d+) of (\\d+) in the document`).exec(printed) ?? [];
    expect(covered, mode).toBe(all);
  }
  const [, simulator] = /processor: program \d+ %, simulator (\d+) %/.exec(printed) ?? [];
  expect(Number(simulator)).toBeLessThan(40);
}, 900_000);

it('no random life breaks a promise (a failure prints the seed)', async () => {
  const seed = String(Math.floor(Math.random() * 2 ** 31));
  const { failed, printed } = await simulate('--seconds', '30', '--lives', '1000000', '--cores', '1', '--seed', seed);
  expect(failed, `--seed ${seed}\n${printed}`).toBe(false);
  const [, lives, commands] = /(\d+) lives, (\d+) command lines/.exec(printed) ?? [];
  expect(Number(commands)).toBeGreaterThan(2 * Number(lives));
}, 900_000);

it('each stored life breaks a promise on its mutant, and no promise on the unchanged program', async () => {
  const { failed, printed } = await simulate('--stored');
  expect(failed, printed).toBe(false);
  const lines = printed.trim().split('\n');
  expect(lines.pop()).toBe('without a mutant: no broken promise');
  const expected = readdirSync(FOUND).map((file) => `${file.replace('.json', '')}: found`);
  expect(lines.toSorted()).toEqual(expected.toSorted());
}, 900_000);
