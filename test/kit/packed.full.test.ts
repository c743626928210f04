import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, hasBrowser } from '../browser/browser.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The environment of a user's shell: without the variables of this test run. */
const shellEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV|TEST|BURSAR_|DEV|PROD|MODE|SSR)/.test(name)),
  );

const runIn = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn('npm', args, { cwd, env: { ...shellEnv(), NO_COLOR: '1', ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('close', (code) => resolve({ code, output }));
  });

let folder = '';
let tarball = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bursar-examples-'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as { filename: string }[];
  tarball = join(folder, packed?.filename ?? '');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Copies an example, and installs it with the packed bursar in place of the published one. */
const install = async (name: string): Promise<string> => {
  const target = join(folder, name);
  await cp(join(ROOT, 'examples', name), target, { recursive: true });
  const file = join(target, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  manifest.devDependencies.bursar = `file:${tarball}`;
  await writeFile(file, JSON.stringify(manifest));
  const installed = await runIn(target, ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
  expect(installed, installed.output).toMatchObject({ code: 0 });
  return target;
};

describe('the packed package in a project of its own', () => {
  it.each(['vitest', 'jest', 'node-test'])('passes the tests of examples/%s', async (name) => {
    const { code, output } = await runIn(await install(name), ['test']);
    expect(code, output).toBe(0);
    expect(output).toMatch(/\b[12] passed|# pass 1|pass 1/);
  });

  it.runIf(hasBrowser())('passes the tests of examples/playwright in Chromium', async () => {
    const target = await install('playwright');
    const { code, output } = await runIn(target, ['test'], { CHROMIUM: browserPath() });
    expect(code, output).toBe(0);
    expect(output).toContain('1 passed');
  });
});
