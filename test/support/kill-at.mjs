// Loaded before the built program: kills it at one place of its journal or of one of its calls.
//   BURSAR_TEST_KILL=journal:STEP[#COUNT]:before|torn|written|synced   call:PATH[#COUNT]:before|answered
//   COUNT: the how-manieth of them, 1 where it is not said
import { Buffer } from 'node:buffer';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';

const [where, what = '', when] = (process.env.BURSAR_TEST_KILL ?? '').split(':');
const [name, count = '1'] = what.split('#');
let left = Number(count);

/** Whether this is the one that is meant. */
const isMeant = (is) => {
  if (is) left -= 1;
  return is && left === 0;
};

/** For as long as the signal takes, nothing else may happen. */
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

const { open } = promises;

const stepIn = (text) => {
  try {
    return JSON.parse(String(text)).step;
  } catch {
    return undefined;
  }
};

const killAtStep = () => {
  promises.open = async (path, flags, ...more) => {
    const handle = await open(path, flags, ...more);
    if (flags !== 'a' || !/journal\/.*\.ndjson$/.test(String(path))) return handle;
    const [append, sync] = [handle.appendFile.bind(handle), handle.sync.bind(handle)];
    let isHere = false;
    handle.appendFile = async (text) => {
      isHere = isMeant(stepIn(text) === name);
      if (isHere && when === 'before') return die();
      if (isHere && when === 'torn') {
        await append(Buffer.from(text).subarray(0, text.length / 2));
        return die();
      }
      await append(text);
      if (isHere && when === 'written') return die();
      return undefined;
    };
    handle.sync = async () => {
      await sync();
      return isHere && when === 'synced' ? die() : undefined;
    };
    return handle;
  };
  syncBuiltinESMExports();
};

const textOf = (chunk) => (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1'));

const killAtCall = () => {
  const [write, push] = ['write', 'push'].map((name) => Reflect.get(net.Socket.prototype, name));
  const ours = new WeakSet();
  net.Socket.prototype.write = function (chunk, ...more) {
    if (isMeant(textOf(chunk).includes(name))) {
      if (when === 'before') return Boolean(die());
      ours.add(this);
    }
    return write.call(this, chunk, ...more);
  };
  net.Socket.prototype.push = function (chunk, ...more) {
    if (chunk && when === 'answered' && ours.has(this)) return Boolean(die());
    return push.call(this, chunk, ...more);
  };
};

if (where === 'journal') killAtStep();
if (where === 'call') killAtCall();
