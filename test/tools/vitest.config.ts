import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Much of a test is waiting: for a process, a chain, a person who is played.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
