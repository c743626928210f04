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

/** A process that claims a path, says so, works for a while each time, and notes when it was inside. */
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
  if (!('claim' in claiming)) throw new Error('nobody let go');
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

const ended = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
};

const holding = async () => {
  const folder = await temporaryFolder();
  const [path, log] = [join(folder, 'thing'), join(folder, 'log')];
  await writeFile(log, '');
  const child = start(await buildClaimant(folder), path, log, '1', '60000');
  await until(async () => (await readFile(log, 'utf8')).startsWith('in'));
  return { path, child, io: await realIo() };
};

describe('what one process has to itself', () => {
  it('is never in two hands, with eight that want it at once, many times', async () => {
    const folder = await temporaryFolder();
    const log = join(folder, 'log');
    const program = await buildClaimant(folder);
    const all = Array.from({ length: 8 }, () => start(program, join(folder, 'thing'), log, '12', '1'));
    expect(await Promise.all(all.map(ended))).toEqual(all.map(() => 0));
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(8 * 12 * 2);
    for (let at = 0; at < lines.length; at += 2) {
      expect(lines[at]?.startsWith('in ')).toBe(true);
      expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'));
    }
    expect((await readdir(folder)).filter((name) => name.includes('claim-'))).toEqual([]);
  });

  it('is free within a second of kill -9 of its holder, who is named until then', async () => {
    const { path, child, io } = await holding();
    expect(await claim(io, path)).toMatchObject({ holder: { process: { pid: child.pid, host: hostname() } } });
    child.kill('SIGKILL');
    expect('claim' in (await claimWithin(io, path, 1_000))).toBe(true);
  });

  it('stays with a holder that is stopped: it may go on at any moment', async () => {
    const { path, child, io } = await holding();
    child.kill('SIGSTOP');
    expect('holder' in (await claimWithin(io, path, 300))).toBe(true);
    child.kill('SIGCONT');
    expect('holder' in (await claim(io, path))).toBe(true);
  });

  it('that cannot be removed hides no result: its own process can claim again, and others when it has ended', async () => {
    const io = await realIo();
    const remove = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    const failing = { ...io, files: { ...io.files, remove } };
    const path = join(io.cwd, 'thing');
    for (let times = 1; times <= 2; times += 1) {
      const claiming = await claim(failing, path);
      if (!('claim' in claiming)) throw new Error('it was free');
      await claiming.claim.release();
    }
    // Another process, by other files.
    expect('holder' in (await claim(io, path))).toBe(true);
  });

  it('whose file could not be made whole is removed', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    const createPrivate = async (file: string, text: string | Uint8Array) => {
      await io.files.createPrivate(file, text);
      throw Object.assign(new Error('EIO: sync of the folder'), { code: 'EIO' });
    };
    await expect(claim({ ...io, files: { ...io.files, createPrivate } }, path)).rejects.toThrow('EIO');
    expect(await readdir(io.cwd)).toEqual([]);
  });

  it('of a killed process is removed after a sync of what that process wrote there', async () => {
    const { path, child, io } = await holding();
    await writeFile(path, 'line\n');
    child.kill('SIGKILL');
    await ended(child);
    const done: string[] = [];
    const noting = (name: 'sync' | 'remove') => async (file: string) => {
      done.push(`${name} ${file === path ? 'thing' : 'claim'}`);
      await io.files[name](file);
    };
    const files = { ...io.files, sync: noting('sync'), remove: noting('remove') };
    expect('claim' in (await claim({ ...io, files }, path))).toBe(true);
    expect(done).toEqual(['sync thing', 'remove claim']);
  });

  it('is told to be lost when somebody removed the file', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    const claiming = await claim(io, path);
    if (!('claim' in claiming)) throw new Error('it was free');
    expect(await claiming.claim.isHeld()).toBe(true);
    for (const name of await readdir(io.cwd)) if (name.includes('claim-')) await io.files.remove(join(io.cwd, name));
    expect(await claiming.claim.isHeld()).toBe(false);
  });

  it('is not taken from a number that another process has now, nor from another machine or container', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    const own = await io.processes.self();
    const claimAs = (name: object) => writeFile(`${path}.claim-1`, JSON.stringify({ ...own, ...name }));
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

  it('is not taken from somebody whose claim cannot be read', async () => {
    const io = await realIo();
    const path = join(io.cwd, 'thing');
    await appendFile(`${path}.claim-1`, '');
    expect(await claim(io, path)).toMatchObject({ holder: { process: undefined, file: `${path}.claim-1` } });
  });
});
