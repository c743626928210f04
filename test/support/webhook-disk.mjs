// Loaded before the built program. Makes appends to the files of deliveries fail, as on a full disk, or wait.
//   BURSAR_TEST_FAIL=FROM-TO  from this append to that one: half of the line is written, and cannot be cut off
//   BURSAR_TEST_HOLD=FILE     no sync ends before this file exists
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const [from = 0, to = 0] = (process.env.BURSAR_TEST_FAIL ?? '').split('-').map(Number);
const { BURSAR_TEST_HOLD: held = '' } = process.env;
let appends = 0;

const { open } = promises;
const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

promises.open = async (path, flags, ...more) => {
  const handle = await open(path, flags, ...more);
  if (flags !== 'a' || !/webhooks\/.*\.ndjson$/.test(String(path))) return handle;
  if (held !== '') {
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      while (!existsSync(held)) await new Promise((resolve) => setTimeout(resolve, 20));
      return sync();
    };
  }
  appends += 1;
  if (appends < from || appends > to) return handle;
  const append = handle.appendFile.bind(handle);
  handle.appendFile = async (text) => {
    await append(Buffer.from(text).subarray(0, text.length / 2));
    throw full();
  };
  handle.truncate = async () => {
    throw full();
  };
  return handle;
};
syncBuiltinESMExports();
