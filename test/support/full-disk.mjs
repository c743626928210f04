// Loaded before the built program. Appends to the file BURSAR_TEST_FULL fail as on a full disk.
import process from 'node:process';
import { diskError, hookAppends } from './append-hooks.mjs';

const write = () => {
  throw diskError('ENOSPC', 'ENOSPC: no space left on device');
};

hookAppends((path) => (path === process.env.BURSAR_TEST_FULL ? { write } : undefined));
