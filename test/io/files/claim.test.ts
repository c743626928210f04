import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claim, claimWithin } from '../../../src/io/files/claim.ts';
import type { Io } from '../../../src/io/io.ts';
import { systemProcesses } from '../../../src/io/processes.ts';
import { temporaryFolder, testIo } from '../../support/io.ts';

const processes = systemProcesses(
  { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} },
  process.kill.bind(process),
);

const realIo = async (): Promise<Io> => {
  const { io } = await testIo();
  return { ...io, processes, random: { ...io.random, fraction: Math.random } };
};

/** A program that claims a path several times, holds each claim for a while, and logs when a claim starts and ends. */
const CLAIMANT = `
import { hostname } from 'node:os';
import { appendFileSync } from 'node:fs';
import { claimWithin } from './src/io/files/claim.ts';
import { clockFrom } from './src/io/system.ts';
import { systemFiles } from './src/io/files/files.ts';
import { systemProcesses } from './src/io/processes.ts';
const [path, log, times, holdMs] = process.argv.slice(2);
const io = {
  files: systemFiles,
  clock: clockFrom(Date.now, () => performance.now()),
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random },
  processes: systemProcesses({ pid: process.pid, host: hostname(), env: {} }, process.kill.bind(process)),
  interrupted: new AbortController().signal,
};
for (let i = 0; i < Number(times); i++) {
  const claiming = await claimWithin(io, path, 60_000);
  if (!('claim' in claiming)) throw new Error('the claim was not released in time');
  appendFileSync(log, 'in ' + process.pid + '\\n');
  await new Promise((resolve) => setTimeout(resolve, Number(holdMs)));
  appendFileSync(log, 'out ' + process.pid + '\\n');
  await claiming.claim.release();
}
`;

const buildClaimant = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'claimant.mjs');
  await build({
    stdin: { contents: CLAIMANT, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
  });
  return outfile;
};

const start = (program: string, ...args: readonly string[]): ChildProcess => {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
};

const startHolder = async () => {
  const folder = await temporaryFolder();
  const [path, log] = [join(folder, 'thing'), join(folder, 'log')];
  await writeFile(log, '');
  const child = start(await buildClaimant(folder), path, log, '1', '60000');
  await until(async () => (await readFile(log, 'utf8')).startsWith('in'));
  return { path, child, io: await realIo() };
};

describe('a claim on a path', () => {
  it('has one holder at a time when eight processes claim the path many times', async () => {
    const folder = await temporaryFolder();
    const log = join(folder, 'log');
    const program = await buildClaimant(folder);
    const all = Array.from({ length: 8 }, () => start(program, join(folder, 'thing'), log, '12', '1'));
    expect(await Promise.all(all.map(exitOf))).toEqual(all.map(() => 0));
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(8 * 12 * 2);
    for (let at = 0; at < lines.length; at += 2) {
      expect(lines[at]?.startsWith('in ')).toBe(true);
      expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'));
    }
    expect((await readdir(folder)).filter((name) => name.includes('claim-'))).toEqual([]);
  });

  it('names its holder, and is free within a second after kill -9 of the holder', async () => {
    const { path, child, io } = await startHolder();
    expect(await claim(io, path)).toMatchObject({ holder: { process: { pid: child.pid, host: hostname() } } });
    child.kill('SIGKILL');
    expect('claim' in (await claimWithin(io, path, 1_000))).toBe(true);
  });

  it('stays with a stopped holder, which may continue at any moment', async () => {
    const { path, child, io } = await startHolder();
    child.kill('SIGSTOP');
    expect('holder' in (await claimWithin(io, path, 300))).toBe(true);
    child.kill('SIGCONT');
    expect('holder' in (await claim(io, path))).toBe(true);
  });

  it('that cannot be removed throws nothing at release: its process can claim again, another cannot', async () => {
    const io = await realIo();
    const remove = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    const failing = { ...io, files: { ...io.files, remove } };
    const path = join(io.cwd, 'thing');
    for (let times = 1; times <= 2; times += 1) {
      const claiming = await claim(failing, path);
      if (!('claim' in claiming)) throw new Error('the path is claimed already');
      await claiming.claim.release();
    }
    // The files of `io` stand for another process.
    expect('holder' in (await claim(io, path))).toBe(true);
  });

  it('whose file could not be written completely is removed', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    const createPrivate = async (file: string, text: string | Uint8Array) => {
      await io.files.createPrivate(file, text);
      throw Object.assign(new Error('EIO: sync of the folder'), { code: 'EIO' });
    };
    await expect(claim({ ...io, files: { ...io.files, createPrivate } }, path)).rejects.toThrow('EIO');
    expect(await readdir(io.cwd)).toEqual([]);
  });

  it('of a killed process is removed after a sync of the claimed file', async () => {
    const { path, child, io } = await startHolder();
    await writeFile(path, 'line\n');
    child.kill('SIGKILL');
    await exitOf(child);
    const calls: string[] = [];
    const recordCall = (name: 'sync' | 'remove') => async (file: string) => {
      calls.push(`${name} ${file === path ? 'thing' : 'claim'}`);
      await io.files[name](file);
    };
    const files = { ...io.files, sync: recordCall('sync'), remove: recordCall('remove') };
    expect('claim' in (await claim({ ...io, files }, path))).toBe(true);
    expect(calls).toEqual(['sync thing', 'remove claim']);
  });

  it('is no longer held when its file was removed', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    const claiming = await claim(io, path);
    if (!('claim' in claiming)) throw new Error('the path is claimed already');
    expect(await claiming.claim.isHeld()).toBe(true);
    for (const name of await readdir(io.cwd)) if (name.includes('claim-')) await io.files.remove(join(io.cwd, name));
    expect(await claiming.claim.isHeld()).toBe(false);
  });

  it('is free when its pid belongs to a later process or boot, but not when it is of another host or container', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    const own = await io.processes.self();
    const claimAs = (changes: object) => writeFile(`${path}.claim-1`, JSON.stringify({ ...own, ...changes }));
    await claimAs({ started: '1' });
    expect('claim' in (await claim(io, path))).toBe(true);
    for (const name of await readdir(io.cwd)) await io.files.remove(join(io.cwd, name));
    for (const other of [{ host: 'another' }, { space: 'pid:[1]' }]) {
      await claimAs(other);
      expect('holder' in (await claim(io, path))).toBe(true);
    }
    await claimAs({ boot: 'an earlier one' });
    expect('claim' in (await claim(io, path))).toBe(true);
  });

  it('with an unreadable file stays claimed', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    await appendFile(`${path}.claim-1`, '');
    expect(await claim(io, path)).toMatchObject({
      holder: { process: undefined, advice: expect.stringContaining(`${path}.claim-1`) },
    });
  });
});
