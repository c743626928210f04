import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The peers, which are programs of others, and the versions of Node that the bench runs on. All are binaries for Linux on x64.

const folderAt = (path) => fileURLToPath(new URL(path, import.meta.url));
const PEERS = folderAt('peers');
const NODES = folderAt('../nodes');

const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix'];
const MEASURED_NODES = ['node20', 'node24'];

const install = (folder) => {
  process.stderr.write(`npm ${INSTALL.join(' ')} ${folder}\n`);
  execFileSync('npm', [...INSTALL, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
};

/** Installs the peers, unless the versions of their lockfile are installed. */
export const installPeers = () => {
  const read = (path) => existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).packages;
  const locked = read(join(PEERS, 'package-lock.json'));
  const installed = read(join(PEERS, 'node_modules', '.package-lock.json'));
  const isMissing = ([path, { version, optional }]) => !optional && path !== '' && installed[path]?.version !== version;
  if (!installed || Object.entries(locked).some(isMissing)) install(PEERS);
};

/** The binaries of Node to measure on, each with its version. Installs them if they are missing. */
export const measuredNodes = () => {
  const binaryOf = (name) => join(NODES, 'node_modules', name, 'bin', 'node');
  if (!MEASURED_NODES.every((name) => existsSync(binaryOf(name)))) install(NODES);
  return MEASURED_NODES.map((name) => {
    const binary = binaryOf(name);
    return { binary, version: execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim().slice(1) };
  });
};

/** Prism's own script, which runs on the Node of this process. */
export const prismScript = () => join(PEERS, 'node_modules', '.bin', 'prism');

/** The native binary of Stripe's command-line tool, without the script of npm that starts it. */
export const stripeBinary = () => join(PEERS, 'node_modules', '@stripe', 'cli-linux-x64', 'bin', 'stripe');

/** The native binary of cast. */
export const castBinary = () => join(PEERS, 'node_modules', '@foundry-rs', 'cast-linux-amd64', 'bin', 'cast');

/** The anvil that the sandbox runs: an optional package of bursar itself. */
export const anvilBinary = () => {
  const path = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json');
  return join(dirname(path), 'bin', 'anvil');
};

const NAMES = {
  '@foundry-rs/cast-linux-amd64': 'cast',
  '@stoplight/prism-cli': 'Prism',
  '@stripe/cli-linux-x64': 'stripe',
};

/** The peers and their exact versions, such as `cast 1.7.1`. */
export const peerVersions = () =>
  Object.entries(JSON.parse(readFileSync(join(PEERS, 'package.json'), 'utf8')).devDependencies).map(
    ([name, version]) => `${NAMES[name]} ${version}`,
  );
