import { existsSync } from 'node:fs';
import process from 'node:process';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * The crash tests that also run with a journal in PostgreSQL. The others read or change files of the journal, or have no journal.
 */
const FILES = [
  ...['kill.test.ts', 'kill.full.test.ts', 'killed-again.full.test.ts', 'at-once.full.test.ts', 'turns.full.test.ts'],
  ...['unread.full.test.ts', 'faults.full.test.ts', 'resume.full.test.ts', 'charges.full.test.ts'],
  ...['yield-kill.full.test.ts', 'yield-kill-two.full.test.ts', 'yield-faults.full.test.ts', 'yield-inputs.test.ts'],
];

const hasPostgres = existsSync('/usr/lib/postgresql');
if (!hasPostgres && process.env['CI']) throw new Error('CI needs PostgreSQL: apt-get install postgresql');
if (!hasPostgres) process.stderr.write('Skipped: crash tests on PostgreSQL, which is missing.\n');

const { include: _, ...test } = base.test ?? {};

export default mergeConfig(
  { ...base, test },
  defineConfig({
    test: {
      include: hasPostgres ? FILES.map((name) => `test/crash/${name}`) : [],
      passWithNoTests: true,
      env: { BURSAR_TEST_JOURNAL: 'postgres' },
    },
  }),
);
