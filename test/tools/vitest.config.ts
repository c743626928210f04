import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/tools/shared-process.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files share a process and load each module once; shared-process.ts checks that no file changes the process.
    isolate: false,
    // Many tests wait for a process, a chain or a terminal, so there are more workers than cores.
    maxWorkers: 4,
    // The second run, and the run on each version of Node, read the transformed modules from the disk.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
  },
});
