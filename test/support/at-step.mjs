// Loaded before the built program: makes the disk fail or take long, or the process die or be interrupted, at one step of the
// journal.
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const [step, what] = (process.env.BURSAR_TEST_AT_STEP ?? '').split(':');

const { open } = promises;

const SLOW_MS = 30_000;

const die = () => process.kill(process.pid, 'SIGKILL');

const stepIn = (text) => JSON.parse(String(text)).step;

promises.open = async (path, flags, ...more) => {
  const handle = await open(path, flags, ...more);
  if (flags !== 'a' || !String(path).includes('/journal/')) return handle;
  const [append, sync] = [handle.appendFile.bind(handle), handle.sync.bind(handle)];
  let isHere = false;
  handle.appendFile = async (text) => {
    isHere = stepIn(text) === step;
    if (isHere && what === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    if (!isHere || ['after', 'interrupt', 'slow'].includes(what)) return append(text);
    if (what === 'torn') {
      await append(Buffer.from(text).subarray(0, text.length / 2));
      await sync();
    }
    if (what === 'before' || what === 'torn') return die();
    throw Object.assign(new Error(`${what}: on the disk`), { code: what });
  };
  handle.sync = async () => {
    await sync();
    if (isHere && what === 'after') die();
    if (isHere && what === 'interrupt') process.kill(process.pid, 'SIGINT');
  };
  return handle;
};
syncBuiltinESMExports();
