// Loaded before the built program. At one step of the journal it makes the write fail or wait, or it kills the process.
//   BURSAR_TEST_AT_STEP=STEP:before|torn|after|EIO|ENOSPC|slow
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { diskError, hookAppends } from './append-hooks.mjs';

const [step, effect] = (process.env.BURSAR_TEST_AT_STEP ?? '').split(':');

const SLOW_MS = 30_000;

const die = () => process.kill(process.pid, 'SIGKILL');

const stepIn = (text) => JSON.parse(String(text)).step;

/** The changes for one append. `torn` syncs half of the line, and then the process is killed. */
const hooks = () => {
  let isStep = false;
  return {
    write: (text, write) => {
      isStep = stepIn(text) === step;
      if (!isStep || ['after', 'slow'].includes(effect)) return write(text);
      if (effect === 'before') return die();
      if (effect === 'torn') return write(Buffer.from(text).subarray(0, text.length / 2));
      throw diskError(effect);
    },
    sync: (sync, callback) => {
      if (isStep && effect === 'slow') return setTimeout(() => sync(callback), SLOW_MS);
      return sync((error) => {
        if (isStep && ['after', 'torn'].includes(effect)) die();
        callback(error);
      });
    },
  };
};

hookAppends((path) => (/\/journal\/.*\.ndjson$/.test(path) ? hooks() : undefined));
