import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/io.ts';
import { killNode, nodesIn } from './support.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const SERVER = `
import { systemFiles } from './src/io/files/files.ts';
import { openNodes } from './src/sandbox/chains/nodes.ts';
const nodes = openNodes({ io: { files: systemFiles }, stateFolder: undefined });
await Promise.all([nodes.on('ethereum'), nodes.on('bsc')]);
process.stdout.write(Object.values(nodes.pids()).join(' '));
`;

/** Builds a server like the program: one file that imports its packages from node_modules beside it. */
const buildServer = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'server.mjs');
  const stdin = { contents: SERVER, resolveDir: root, loader: 'ts' as const };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  return outfile;
};

/** The number of processes in the process groups of the nodes. A group has a node and its guard. */
const membersOf = async (groups: readonly number[]): Promise<number> => {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=']);
  return stdout.split('\n').filter((group) => groups.includes(Number(group))).length;
};

const expectGone = (groups: readonly number[]) =>
  expect.poll(() => membersOf(groups), { timeout: 5000, interval: 20 }).toBe(0);

test('ends the nodes when the server is killed with -9', async () => {
  const server = spawn(process.execPath, [await buildServer()], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  const pids = String((await once(server.stdout, 'data'))[0])
    .split(' ')
    .map(Number);
  expect(await membersOf(pids)).toBe(4);
  server.kill('SIGKILL');
  await expectGone(pids);
});

test('leaves no guard process after a node is killed and the server closes', async () => {
  const nodes = nodesIn();
  await Promise.all([nodes.on('ethereum'), nodes.on('base')]);
  const pids = Object.values(nodes.pids());
  expect(await membersOf(pids)).toBe(4);
  await killNode(nodes, 'base');
  await nodes.close();
  await expectGone(pids);
});
