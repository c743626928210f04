// Loaded before the built program. Makes appends to the files of deliveries fail, as on a full disk, or wait.
//   BURSAR_TEST_FAIL=FROM-TO  from this append to that one: half of the line is written, and cannot be cut off
//   BURSAR_TEST_HOLD=FILE     no sync ends before this file exists
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { diskError, hookAppends } from './append-hooks.mjs';

const [from = 0, to = 0] = (process.env.BURSAR_TEST_FAIL ?? '').split('-').map(Number);
const { BURSAR_TEST_HOLD: held = '' } = process.env;
let appends = 0;

const fail = () => {
  throw diskError('ENOSPC', 'ENOSPC: no space left on device');
};

const waitForFile = (sync, callback) => {
  if (existsSync(held)) sync(callback);
  else setTimeout(() => waitForFile(sync, callback), 20);
};

const writeHalf = (text, write) => {
  write(Buffer.from(text).subarray(0, text.length / 2));
  fail();
};

hookAppends((path) => {
  if (!/webhooks\/.*\.ndjson$/.test(path)) return undefined;
  appends += 1;
  const isFull = appends >= from && appends <= to;
  return { ...(held !== '' && { sync: waitForFile }), ...(isFull && { write: writeHalf, truncate: fail }) };
});
