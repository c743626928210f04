import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

/** Rooms whose tests leave nothing behind in their process: files of one share it, and load a library once. */
const SHARING = ['chain', 'client', 'contract', 'core', 'flows', 'io', 'journal', 'output'].map(
  (room) => `test/${room}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Much of a test is waiting: for a process, a chain, a person who is played.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'rooms', include: SHARING, isolate: false } },
      {
        extends: true,
        test: { name: 'program', include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...SHARING] },
      },
    ],
  },
});
