// Runs unit tests on the versions of Node in test/nodes, except the one that runs this script, which `npm test` covers. The
// newest runs every room. The others run client, io, journal and keystore, which use most of what differs between versions.
// `--all` runs every room on every version, with the files of `npm run test:full`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODES = `${ROOT}test/nodes`;
const INSTALL = 'npm ci --ignore-scripts --prefix test/nodes';

const NEAR_NODE = ['client', 'io', 'journal', 'keystore'];
const FOLDERS = [...NEAR_NODE, 'chain', 'contract', 'core', 'flows', 'output'];

/** Files of `npm run test:full`. They take half of the time. */
const isFull = (path) => path.endsWith('.full.test.ts');

const majorOf = (version) => Number(version.split('.')[0]);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

const isAll = process.argv.includes('--all');
const oldest = majorOf(read(`${ROOT}package.json`).engines.node.replace('>=', ''));
const binaryOf = (name) => `${NODES}/node_modules/${name}/bin/node`;
const nodes = Object.entries(read(`${NODES}/package.json`).devDependencies)
  .map(([name, from]) => ({ name, version: from.split('@').at(-1) }))
  .filter(({ version }) => majorOf(version) >= oldest)
  .filter(({ version }) => isAll || majorOf(version) !== majorOf(process.versions.node));

const filesOf = (folder) =>
  readdirSync(`${ROOT}test/${folder}`, { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `test/${folder}/${path}`);
const newest = Math.max(...nodes.map(({ version }) => majorOf(version)));
const filesFor = (version) =>
  (isAll || majorOf(version) === newest ? FOLDERS : NEAR_NODE)
    .flatMap(filesOf)
    .filter((path) => isAll || !isFull(path));

/** Runs the tests on a version. Tests start `node` by name, so PATH begins with its folder. Prints all output of a failure. */
const runOn = ({ name, version }) => {
  const node = binaryOf(name);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/tools/vitest.config.ts', '--maxWorkers=2'];
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`, NO_COLOR: '1' };
  const run = spawnSync(node, [...args, ...filesFor(version)], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const isGreen = run.status === 0;
  const output = `${run.stdout}${run.stderr}`.trim().split('\n');
  process.stdout.write(`Node ${version}\n${(isGreen ? output.slice(-4) : output).join('\n')}\n`);
  return isGreen;
};

const missing = nodes.filter(({ name }) => !existsSync(binaryOf(name)));
if (missing.length > 0) {
  const names = missing.map(({ version }) => version).join(', ');
  process.stderr.write(`Node ${names} is not in test/nodes (Linux on x64 only). Get it: ${INSTALL}\n`);
  process.exitCode = 1;
} else {
  const failed = nodes.filter((node) => !runOn(node));
  for (const { version } of failed) process.stderr.write(`failed on Node ${version}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
