import { spawn } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { switchChain } from '../../src/contract/control/chains.ts';
import type { Io } from '../../src/io/io.ts';
import { systemProcesses } from '../../src/io/processes.ts';
import { type Address, readAddress, writeAddress } from '../../src/sandbox/address.ts';
import { control } from '../../src/sandbox/control-client.ts';
import { resetSandbox, sandboxStatus, startSandbox, stopSandbox } from '../../src/sandbox/launcher.ts';
import { logPath } from '../../src/sandbox/log.ts';
import { launchingIo, useSandboxProgram } from './program.ts';

const program = useSandboxProgram();

/** A new home; a sandbox that still runs there is killed after the test. */
const home = async (): Promise<Io> => {
  const io = await launchingIo(program());
  onTestFinished(async () => {
    const address = await readAddress(io).catch(() => undefined);
    if (address && address.pid !== process.pid && io.processes.isRunning(address.pid))
      process.kill(address.pid, 'SIGKILL');
  });
  return io;
};

const quote = async ({ url, api_key }: Address): Promise<number> =>
  (await fetch(`${url}/quote/market?from=ETH&to=USDT`, { headers: { 'x-api-key': api_key } })).status;

const whenDead = async (io: Io, pid: number): Promise<void> => {
  while (io.processes.isRunning(pid)) await io.clock.sleep(10);
};

test('leaves no process of the slower of two concurrent starts, which would start after a stop', async () => {
  const quick = await home();
  const slow = join(quick.cwd, 'slow-node');
  await writeFile(slow, `#!/bin/sh\nsleep 2\nexec '${process.execPath}' "$@"\n`, { mode: 0o700 });
  const self = {
    pid: process.pid,
    host: 'test',
    node: slow,
    program: program(),
    env: { ...quick.env, BURSAR_HOME: quick.cwd },
  };
  const { startSelf, ...processes } = systemProcesses(self, process.kill.bind(process));
  const pids: number[] = [];
  const startAndRecord = async (...words: Parameters<typeof startSelf>) => {
    const pid = await startSelf(...words);
    pids.push(pid);
    return pid;
  };
  const [first, second] = await Promise.all([
    startSandbox(quick, {}),
    startSandbox({ ...quick, processes: { ...processes, startSelf: startAndRecord } }, {}),
  ]);
  expect(second).toEqual(first);
  expect(pids.map((pid) => quick.processes.isRunning(pid))).toEqual([false]);
  expect(await stopSandbox(quick)).toBe(true);
  expect(await readAddress(quick)).toBeUndefined();
});

test('starts one sandbox per home, shows its status, and leaves no process after stop', async () => {
  const io = await home();
  expect(await sandboxStatus(io)).toEqual({ running: false });
  expect(await stopSandbox(io)).toBe(false);
  const [first, second] = await Promise.all([startSandbox(io, {}), startSandbox(io, {})]);
  expect(second).toEqual(first);
  expect(await startSandbox(io, {})).toEqual(first);
  expect(await quote(first)).toBe(200);
  expect(await sandboxStatus(io)).toMatchObject({
    running: true,
    url: first.url,
    pid: first.pid,
    chains: [],
    ephemeral: false,
  });
  expect(await stopSandbox(io)).toBe(true);
  expect(io.processes.isRunning(first.pid)).toBe(false);
  expect(await readAddress(io)).toBeUndefined();
});

test('keeps keys and port across a restart, writes files with mode 600, and logs no key', async () => {
  const io = await home();
  const before = await startSandbox(io, {});
  await stopSandbox(io);
  const after = await startSandbox(io, { ephemeral: true });
  expect({ ...after, pid: 0 }).toEqual({ ...before, pid: 0 });
  expect(await sandboxStatus(io)).toMatchObject({ ephemeral: true });
  for (const name of ['server.json', 'identity.json', 'sandbox.log', 'ledger.db']) {
    expect([name, (await stat(`${io.places.sandbox}/${name}`)).mode & 0o777]).toEqual([name, 0o600]);
  }
  const log = new TextDecoder().decode(await io.files.read(logPath(io)));
  expect(log).toContain(before.url);
  expect(log).not.toContain(before.api_key);
  expect(log).not.toContain(before.control_key);
});

test('ignores the address file of a killed sandbox, and starts a new one', async () => {
  const io = await home();
  const first = await startSandbox(io, {});
  process.kill(first.pid, 'SIGKILL');
  await whenDead(io, first.pid);
  expect(await readAddress(io)).toEqual(first);
  expect(await sandboxStatus(io)).toEqual({ running: false });
  const second = await startSandbox(io, {});
  expect(second.pid).not.toBe(first.pid);
  expect(await quote(second)).toBe(200);
});

test('ignores an address file whose port belongs to another server', async () => {
  const io = await home();
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  await writeAddress(io, { url: `http://127.0.0.1:${port}`, api_key: 'a', control_key: 'c', pid: process.pid });
  expect(await sandboxStatus(io)).toEqual({ running: false });
  expect(await stopSandbox(io)).toBe(false);
});

test('fails with the reason from the log when the requested port is taken', async () => {
  const io = await home();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const started = startSandbox(io, { port });
  await expect(started).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    details: { hint: expect.stringContaining(`port ${port} is taken`) },
  });
});

test('refuses to run a second sandbox in the foreground in the same home', async () => {
  const io = await home();
  await startSandbox(io, {});
  const child = spawn(process.execPath, [program()], {
    env: { BURSAR_HOME: io.cwd },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorText = '';
  child.stderr.on('data', (chunk) => {
    errorText += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, errorText]).toEqual([1, expect.stringContaining('a sandbox is already running')]);
});

test('fails and names the address file when the file is damaged', async () => {
  const io = await home();
  await io.files.replacePrivate(`${io.places.sandbox}/server.json`, '{"url":');
  await expect(startSandbox(io, {})).rejects.toMatchObject({
    message: expect.stringContaining('server.json is damaged'),
  });
});

test('removes the address file on SIGTERM', async () => {
  const io = await home();
  const { pid } = await startSandbox(io, {});
  process.kill(pid, 'SIGTERM');
  await whenDead(io, pid);
  expect(await readAddress(io)).toBeUndefined();
});

test('removes the ledger on reset, running or stopped, and keeps the keys', async () => {
  const io = await home();
  const address = await startSandbox(io, {});
  await control(io, address)(switchChain, { name: 'base', enabled: false });
  await resetSandbox(io);
  await stopSandbox(io);
  await resetSandbox(io);
  expect(await io.files.read(`${io.places.sandbox}/ledger.db`)).toBeUndefined();
  expect((await startSandbox(io, {})).api_key).toBe(address.api_key);
});

test('starts no chain before its first use', async () => {
  const io = await home();
  await startSandbox(io, {});
  expect(await sandboxStatus(io)).toMatchObject({ chains: [] });
  await stopSandbox(io);
});
