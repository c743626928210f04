import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnv, PROGRAM } from './measure.mjs';

/** Starts a sandbox in a home. `end` sends a signal to it and leaves the home. */
export const startIn = async (home, ...options) => {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'sandbox', 'start', '--foreground', '--json', ...options], {
    env: cleanEnv({ BURSAR_HOME: home }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line } = await lines.next();
  const end = async (signal) => {
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) {
      await new Promise((resolve) => child.once('close', resolve));
    }
  };
  return { pid: child.pid, address: JSON.parse(line), began, end };
};

/** Starts a sandbox in a new home. `end` stops it and removes the home. */
export const startSandbox = async (...options) => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-bench-sandbox-'));
  const sandbox = await startIn(home, ...options);
  const end = async () => {
    await sandbox.end('SIGTERM');
    await rm(home, { recursive: true, force: true });
  };
  return { ...sandbox, home, end };
};

/** The ids of the child processes of a process; none if `pgrep` fails. */
export const childrenOf = (pid) => {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
};

const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const TICK_MS = 10;

/** Milliseconds of processor time that a process has used, from Linux. */
export const processorOf = (pid) => {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
};

/** Megabytes that a process has in memory, from Linux; 0 elsewhere. */
export const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
