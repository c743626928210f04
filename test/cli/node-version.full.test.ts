import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';

const NODE_18 = join(fileURLToPath(new URL('../nodes', import.meta.url)), 'node_modules/node18/bin/node');
const INSTALL = 'npm ci --ignore-scripts --prefix test/nodes';
const NEEDED = /^error: bursar needs Node 20\.19 or newer; this is Node (\S+) \(\S+\)\. Get one: https:\S+\n$/;

/** Loaded before the program: sets another version of Node. */
const pretend = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;

const runAs = async (version: string) =>
  runBursar(await temporaryFolder(), ['quote', '--help'], { env: { NODE_OPTIONS: `--import ${pretend(version)}` } });

const isSkipped = !existsSync(NODE_18) && !process.env['CI'];
const onNode18 = 'on Node 18 every command is exit 2 with one line that names the required Node';
test.skipIf(isSkipped)(isSkipped ? `${onNode18} (skipped, it needs: ${INSTALL})` : onNode18, async () => {
  const home = await temporaryFolder();
  for (const args of [[], ['--version'], ['--help'], ['quote', 'BTC', 'USDT', '--json'], ['pay', 'run', '--help']]) {
    const { code, stdout, stderr } = await runBursar(home, args, { node: NODE_18 });
    expect([args, code, stdout]).toEqual([args, 2, '']);
    expect(NEEDED.exec(stderr)?.[1], stderr).toMatch(/^18\./);
  }
});

test.each(['12.22.12', '16.20.2', '19.9.0', '20.0.0', '20.18.3'])('Node %s is too old: exit 2', async (version) => {
  const { code, stdout, stderr } = await runAs(version);
  expect([code, stdout]).toEqual([2, '']);
  expect(NEEDED.exec(stderr)?.[1], stderr).toBe(version);
});

test.each(['20.19.0', '21.0.0', '22.0.0', '24.1.0', '100.0.0'])('Node %s is new enough', async (version) => {
  const { code, stdout } = await runAs(version);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: bursar quote')]);
});

test('the error names the Node version of package.json', async () => {
  const { engines } = JSON.parse(await readFile(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8'));
  const { stderr } = await runAs('18.0.0');
  expect(stderr).toContain(`Node ${engines.node.replace('>=', '')} or newer`);
});
