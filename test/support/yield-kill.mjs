// Loaded before the built program: kills it (SIGKILL) at one entry of its journal.
//   BURSAR_TEST_KILL_AT=STEP:COUNT:before|torn|written|synced   (the COUNT-th entry of that step)
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const [step, count = '1', when] = (process.env.BURSAR_TEST_KILL_AT ?? '').split(':');

const { open } = promises;
let left = Number(count);

/** For as long as the signal takes, nothing else may happen. */
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

const stepIn = (text) => JSON.parse(String(text)).step;

promises.open = async (path, flags, ...more) => {
  const handle = await open(path, flags, ...more);
  if (flags !== 'a' || !/journal\/.*\.ndjson$/.test(String(path))) return handle;
  const [append, sync] = [handle.appendFile.bind(handle), handle.sync.bind(handle)];
  let isHere = false;
  handle.appendFile = async (text) => {
    if (stepIn(text) === step) left -= 1;
    isHere = stepIn(text) === step && left === 0;
    if (isHere && when === 'before') return die();
    if (isHere && when === 'torn') {
      await append(Buffer.from(text).subarray(0, text.length / 2));
      return die();
    }
    await append(text);
    return isHere && when === 'written' ? die() : undefined;
  };
  handle.sync = async () => {
    await sync();
    return isHere && when === 'synced' ? die() : undefined;
  };
  return handle;
};
syncBuiltinESMExports();
