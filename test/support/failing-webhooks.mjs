// Loaded before the built program. Makes appends to the files of deliveries fail, as on a full disk.
//   BURSAR_TEST_FAIL=FROM-TO: from this append to that one. Half of the line is written, and cannot be cut off.
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const [from = 0, to = 0] = (process.env.BURSAR_TEST_FAIL ?? '').split('-').map(Number);
let appends = 0;

const { open } = promises;
const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

promises.open = async (path, flags, ...more) => {
  const handle = await open(path, flags, ...more);
  if (flags !== 'a' || !/webhooks\/.*\.ndjson$/.test(String(path))) return handle;
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
