import { type ChildProcess, execFileSync } from 'node:child_process';
import { chown, readFile, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cleanEnv, PROGRAM, runBursar, type Settings, startBursar } from '../../support/bursar.ts';
import { temporaryFolder } from '../../support/io.ts';
import { anvilsOf, fundedPayer, killNode, newAddress, nodesIn, pay } from './support.ts';

const NOBODY = 65_534;

const works = (words: readonly string[]): boolean => {
  try {
    execFileSync(words[0] ?? '', words.slice(1), { stdio: 'ignore', env: cleanEnv('/', {}) });
    return true;
  } catch {
    return false;
  }
};

const NO_RIGHTS = ['--inh-caps=-all', '--bounding-set=-all'];
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...NO_RIGHTS];
const AS_ROOT_WITHOUT_RIGHTS = ['setpriv', ...NO_RIGHTS];

/** The command prefix to run as an ordinary user. Root becomes nobody, or loses its rights if nobody cannot read the program. */
const ordinaryUser = (): { readonly under: readonly string[]; readonly uid: number } => {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { under: [], uid };
  const canRead = works([...AS_NOBODY, process.execPath, PROGRAM, '--version']);
  return canRead ? { under: AS_NOBODY, uid: NOBODY } : { under: AS_ROOT_WITHOUT_RIGHTS, uid };
};

const field = (text: string, name: string): string => String(JSON.parse(text)[name]);

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (text) => resolve(String(text)));
    child.once('close', () => reject(new Error('the program ended before it printed a line')));
  });

const isAlive = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !stat.includes(') Z '),
    () => false,
  );

/** The listening TCP sockets in the network of a process, as `address:port` from /proc/net/tcp. */
const listeners = async (pid: number): Promise<readonly string[]> =>
  (await readFile(`/proc/${pid}/net/tcp`, 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[3] === '0A')
    .map((words) => words[1] ?? '');

/** Whether this process can connect to a socket from /proc/net/tcp. */
const canConnect = (place: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [address = '', port = ''] = place.split(':');
    const host = [...Buffer.from(address, 'hex')].reverse().join('.');
    const socket = connect({ host, port: Number.parseInt(port, 16) }, () => resolve(true)).on('error', () =>
      resolve(false),
    );
    onTestFinished(() => void socket.destroy());
  });

/** Starts a sandbox of the built program and its polygon node; returns the process ids of both. */
const start = async (settings: Settings & { readonly under?: readonly string[]; readonly uid?: number }) => {
  const home = await temporaryFolder();
  if (settings.uid !== undefined) await chown(home, settings.uid, settings.uid);
  const words = ['sandbox', 'start', '--foreground', '--ephemeral', '--json', '--port', '0'];
  const { child } = startBursar(home, words, settings);
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = await firstLine(child);
  const [url, pid] = [field(output, 'url'), Number(field(output, 'pid'))];
  const answer = await fetch(`${url}/_chain/polygon`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
  });
  expect(BigInt(field(await answer.text(), 'result'))).toBeGreaterThan(0n);
  const [node = 0] = anvilsOf(pid);
  return { home, pid, node, status: () => runBursar(home, ['sandbox', 'status', '--json']) };
};

const networkOf = (pid: number): Promise<string> => readlink(`/proc/${pid}/ns/net`);

test('runs nodes of an ordinary user in a private network, where the system allows it, and they end with the server', async () => {
  const { under, uid } = ordinaryUser();
  const isAllowed = works([...under, 'unshare', '-r', '-n', 'true']);
  const { pid, node, status } = await start({ under, uid });
  const { stdout, stderr } = await status();
  expect(field(stdout, 'evm_access')).toBe(isAllowed ? 'private' : 'loopback');
  expect(/Limit:/.test(stderr)).toBe(!isAllowed);
  expect((await networkOf(node)) !== (await networkOf(pid))).toBe(isAllowed);
  expect(await Promise.all((await listeners(node)).map(canConnect))).toEqual(
    isAllowed ? [false] : expect.arrayContaining([true]),
  );
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(node), { timeout: 5000 }).toBe(false);
});

test('listens on an unusual loopback address without a private network, and status and doctor show the limit', async () => {
  const PATH = await temporaryFolder();
  const { home, pid, node, status } = await start({ env: { PATH } });
  expect(await networkOf(node)).toBe(await networkOf(pid));
  const { stdout, stderr } = await status();
  expect(field(stdout, 'evm_access')).toBe('loopback');
  expect(stderr).toMatch(/^Limit: other users, programs and web pages on this machine can change balances/m);
  const doctor = await runBursar(home, ['doctor', '--offline', '--json'], { env: { PATH } });
  expect(doctor.stdout).toMatch(/EVM chains: anvil .*web pages on this machine can change its test balances/);
  // Hexadecimal in little-endian order: 127.0.0.1 is 0100007F.
  const unusual = (await listeners(node)).filter(
    (place) => /^[0-9A-F]{6}7F:/.test(place) && !place.startsWith('0100007F'),
  );
  expect(unusual.length).toBeGreaterThan(0);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(node), { timeout: 5000 }).toBe(false);
});

test.each(['private', 'loopback'] as const)(
  'restores exact balances after the node is killed, with %s access',
  async (reach) => {
    if (reach === 'loopback') vi.stubEnv('PATH', await temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const isAllowed = reach === 'private' && works(['unshare', '-r', '-n', 'true']);
    const nodes = nodesIn(await temporaryFolder());
    const payer = await fundedPayer(await nodes.on('bsc'));
    const receiver = newAddress();
    await pay(await nodes.on('bsc'), payer, receiver, 5n);
    expect(nodes.reach()).toBe(isAllowed ? 'private' : 'loopback');
    for (const expected of [5n, 8n]) {
      await killNode(nodes, 'bsc');
      const node = await nodes.on('bsc');
      expect(await node.balance(receiver, undefined)).toBe(expected);
      await pay(node, payer, receiver, 3n);
    }
  },
);
