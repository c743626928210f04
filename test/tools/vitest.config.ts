import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

const MEMORY = '/dev/shm';
/** Several times what a run uses. A container has 64 MiB by default, which is too little. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/** The folder for temporary files: in memory if Linux has enough of it, which saves a tenth of the time. */
const temporaryRoot = (): string => {
  if (process.env['TMPDIR'] !== undefined) return tmpdir();
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/tools/shared-process.ts'],
    env: { TMPDIR: temporaryRoot() },
    // A limit for what hangs, far above what a test takes on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Files share a process and load each module once; shared-process.ts checks that no file changes the process.
    isolate: false,
    // Many tests wait for a process, a chain or a terminal, so there are more workers than cores.
    maxWorkers: 4,
    // A later run, also on another version of Node, reads the transformed modules from the disk.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
  },
});
