import { afterAll, afterEach, expect } from 'vitest';
import { deriveOnce } from '../support/derive-once.ts';
import { leaveFolder } from '../support/in-process.ts';

// Vitest runs this file before each test file. Test files share a process, so each must leave the process unchanged.

const stateOf = () => ({
  env: { ...process.env },
  cwd: process.cwd(),
  umask: process.umask(),
  exitCode: process.exitCode ?? 0,
});

deriveOnce();

const before = stateOf();

afterEach(leaveFolder);

afterAll(() => {
  expect(stateOf(), 'this file changed the environment, folder, umask or exit code of the shared process').toEqual(
    before,
  );
});
