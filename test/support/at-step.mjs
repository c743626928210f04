// Loaded before the built program. At one step of the journal it makes the write fail or wait, or it kills or interrupts the
// process.
//   BURSAR_TEST_AT_STEP=STEP:before|torn|after|interrupt|EIO|ENOSPC|slow
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const [step, effect] = (process.env.BURSAR_TEST_AT_STEP ?? '').split(':');

const { open } = promises;

const SLOW_MS = 30_000;

const die = () => process.kill(process.pid, 'SIGKILL');

const stepIn = (text) => JSON.parse(String(text)).step;

promises.open = async (path, flags, ...more) => {
  const handle = await open(path, flags, ...more);
  if (flags !== 'a' || !String(path).includes('/journal/')) return handle;
  const [append, sync] = [handle.appendFile.bind(handle), handle.sync.bind(handle)];
  let isStep = false;
  handle.appendFile = async (text) => {
    isStep = stepIn(text) === step;
    if (isStep && effect === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (!isStep || ['after', 'interrupt', 'slow'].includes(effect)) return append(text);
    if (effect === 'torn') {
      await append(Buffer.from(text).subarray(0, text.length / 2));
      await sync();
    }
    if (effect === 'before' || effect === 'torn') return die();
    throw Object.assign(new Error(`${effect}: on the disk`), { code: effect });
  };
  handle.sync = async () => {
    await sync();
    if (isStep && effect === 'after') die();
    if (isStep && effect === 'interrupt') process.kill(process.pid, 'SIGINT');
  };
  return handle;
};
syncBuiltinESMExports();
